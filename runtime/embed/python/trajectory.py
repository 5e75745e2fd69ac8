"""Positions of everybody over time: as data frames and as files of other tools."""
from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from typing import Any, Callable, Dict, Union

import numpy as np

from .library import Error

__all__ = ["Trajectory", "read_trajectory"]

Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Trajectory:
    """Positions of everybody over time: equally long arrays, in order of frame and id."""

    frame: np.ndarray  #: [n] counted from 0
    id: np.ndarray  #: [n]
    x: np.ndarray  #: [n] m
    y: np.ndarray  #: [n] m
    frame_rate: float  #: 1/s

    def to_dataframe(self) -> Any:
        """A pandas data frame with the columns that pedpy.TrajectoryData takes; `attrs["frame_rate"]` is the rate."""
        import pandas

        frame = pandas.DataFrame({"id": self.id, "frame": self.frame, "x": self.x, "y": self.y})
        frame.attrs["frame_rate"] = self.frame_rate
        return frame

    def write(self, path: Path) -> None:
        """A file, by its ending: .parquet, .csv, .txt or .h5."""
        _of(_WRITERS, path, "written")(self, os.fspath(path))


def read_trajectory(path: Path) -> Trajectory:
    """A file's, by its ending: .sqlite, .h5, .hdf5, .parquet or .csv."""
    if not os.path.isfile(path):
        raise Error(f"there is no file '{os.fspath(path)}'")
    trajectory: Trajectory = _of(_READERS, path, "read")(os.fspath(path))
    return trajectory


def _of(table: Dict[str, Callable[..., Any]], path: Path, done: str) -> Callable[..., Any]:
    ending = os.path.splitext(os.fspath(path))[1]
    if ending not in table:
        raise Error(f"'{os.fspath(path)}': trajectories of this ending are not {done}; expected one of: "
                    f"{', '.join(table)}")
    return table[ending]


def _sorted(path: str, columns: Any, rate: Any) -> Trajectory:
    """Of frames, ids, x and y, in any order."""
    frame, ids, x, y = columns
    try:
        whole = [np.asarray(column, np.int64) for column in (frame, ids)]
        places = [np.asarray(column, np.float64) for column in (x, y)]
        rate = float(rate)
    except (TypeError, ValueError) as error:
        raise Error(f"'{path}' is no trajectory: {error}") from error
    if not (rate > 0 and all(np.isfinite(column).all() for column in places)):
        raise Error(f"'{path}' is no trajectory: its frame rate is {rate}, or a position is no number")
    order = np.lexsort((whole[1], whole[0]))
    return Trajectory(whole[0][order], whole[1][order], places[0][order], places[1][order], rate)


# ---- files


def _read_sqlite(path: str) -> Trajectory:
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as base:
            rate = base.execute("SELECT value FROM metadata WHERE key = 'fps'").fetchone()
            rows = base.execute("SELECT frame, id, pos_x, pos_y FROM trajectory_data").fetchall()
    except sqlite3.Error as error:
        raise Error(f"'{path}' is no recording: {error}") from error
    columns = np.array(rows, np.float64).reshape(len(rows), 4).T
    return _sorted(path, columns, rate[0] if rate else 0)


def _read_hdf5(path: str) -> Trajectory:
    """JuPedSim's: a dataset `trajectory` of rows (id, frame, x, y, z) with the attribute fps."""
    import h5py

    try:
        with h5py.File(path, "r") as file:
            table = file["trajectory"]
            rows, rate = table[:], table.attrs["fps"]
            return _sorted(path, [rows[name] for name in ("frame", "id", "x", "y")], rate)
    except (KeyError, OSError, ValueError, AttributeError) as error:
        raise Error(f"'{path}' is no trajectory of JuPedSim's: {error}") from error


def _write_hdf5(trajectory: Trajectory, path: str) -> None:
    import h5py

    rows = np.zeros(len(trajectory.id), [("id", "i8"), ("frame", "i8"), ("x", "f8"), ("y", "f8"), ("z", "f8")])
    for name in "id", "frame", "x", "y":
        rows[name] = getattr(trajectory, name)
    with h5py.File(path, "w") as file:
        file.create_dataset("trajectory", data=rows).attrs["fps"] = trajectory.frame_rate
        file.attrs["file_version"] = "1.0.0"


def _read_parquet(path: str) -> Trajectory:
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.read_table(path)
        columns = [table.column(name).to_numpy() for name in ("frame", "id", "x", "y")]
    except (KeyError, pyarrow.ArrowException) as error:
        raise Error(f"'{path}' is no trajectory: {error}") from error
    return _sorted(path, columns, (table.schema.metadata or {}).get(b"frame_rate", 0))


def _write_parquet(trajectory: Trajectory, path: str) -> None:
    import pyarrow
    from pyarrow import parquet

    columns = {name: getattr(trajectory, name) for name in ("frame", "id", "x", "y")}
    table = pyarrow.table(columns, metadata={"frame_rate": repr(float(trajectory.frame_rate)), "unit": "m"})
    parquet.write_table(table, path)


def _read_csv(path: str) -> Trajectory:
    with open(path, encoding="utf-8") as file:
        head = [file.readline().strip() for _ in range(2)]
    rate = head[0].rpartition("frame_rate: ")[2]
    if head[1] != "frame,id,x,y":
        raise Error(f"'{path}' is no trajectory: line 2 must be frame,id,x,y after a line '# frame_rate: 10'")
    try:
        return _sorted(path, np.loadtxt(path, delimiter=",", skiprows=2, ndmin=2).reshape(-1, 4).T, rate)
    except ValueError as error:
        raise Error(f"'{path}' is no trajectory: {error}") from error


def _write_csv(trajectory: Trajectory, path: str) -> None:
    _write_text(trajectory, path, f"# frame_rate: {float(trajectory.frame_rate)!r}\nframe,id,x,y\n",
                "{1},{0},{2!r},{3!r}\n")


def _write_juelich(trajectory: Trajectory, path: str) -> None:
    """Ids and frames of that archive count from 1 and 0."""
    _write_text(trajectory, path, f"# framerate: {float(trajectory.frame_rate)!r}\n# id frame x/m y/m z/m\n",
                "{0} {1} {2!r} {3!r} 0\n")


def _write_text(trajectory: Trajectory, path: str, head: str, row: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(head)
        columns = (trajectory.id, trajectory.frame, trajectory.x, trajectory.y)
        file.writelines(row.format(*values) for values in zip(*(column.tolist() for column in columns)))


_READERS: Dict[str, Callable[..., Trajectory]] = {
    ".sqlite": _read_sqlite, ".h5": _read_hdf5, ".hdf5": _read_hdf5, ".parquet": _read_parquet, ".csv": _read_csv,
}
_WRITERS: Dict[str, Callable[..., None]] = {
    ".parquet": _write_parquet, ".csv": _write_csv, ".txt": _write_juelich, ".h5": _write_hdf5,
}
