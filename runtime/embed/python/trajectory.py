"""Positions of everybody over time: as data frames and as files of other tools."""
from __future__ import annotations

import csv
import os
import pathlib
import sqlite3
from dataclasses import dataclass
from typing import Any, Callable, Dict, Optional, Union

import numpy as np

from .library import Error

__all__ = ["Trajectory", "read_trajectory"]

Path = Union[str, "os.PathLike[str]"]

_NAMES = "frame", "id", "x", "y", "z", "floor"


@dataclass(frozen=True)
class Trajectory:
    """Positions of everybody over time: equally long arrays, in order of frame and id. In a building positions are those
    on its plan, where floors lie over each other, and all arrays are there."""

    frame: np.ndarray  #: [n] counted from 0
    id: np.ndarray  #: [n]
    x: np.ndarray  #: [n] m
    y: np.ndarray  #: [n] m
    frame_rate: float  #: 1/s
    z: Optional[np.ndarray] = None  #: [n] m: height of the feet in a building
    floor: Optional[np.ndarray] = None  #: [n] name of the floor or flight in a building

    def columns(self) -> Dict[str, np.ndarray]:
        """All arrays by name."""
        return {name: column for name in _NAMES if (column := getattr(self, name)) is not None}

    def to_dataframe(self) -> Any:
        """A pandas data frame with the columns that pedpy.TrajectoryData takes, and in a building z and floor;
        `attrs["frame_rate"]` is the rate."""
        import pandas

        frame = pandas.DataFrame({"id": self.id, **self.columns()})
        frame.attrs["frame_rate"] = self.frame_rate
        return frame

    def write(self, path: Path) -> None:
        """A file, by its ending: .parquet, .csv, .txt or .h5."""
        writer = _of(_WRITERS, path, "written")
        try:
            writer(self, os.fspath(path))
        except OSError as error:
            raise Error(f"cannot write '{os.fspath(path)}': {error.strerror or error}") from error


def read_trajectory(path: Path) -> Trajectory:
    """A file's, by its ending: .sqlite, .h5, .hdf5, .parquet, .csv or .txt, whose frames count from its first one."""
    if not os.path.isfile(path):
        raise Error(f"there is no file '{os.fspath(path)}'")
    reader = _of(_READERS, path, "read")
    try:
        trajectory: Trajectory = reader(os.fspath(path))
    except OSError as error:
        raise Error(f"cannot read '{os.fspath(path)}': {error.strerror or error}") from error
    return trajectory


def _of(table: Dict[str, Callable[..., Any]], path: Path, done: str) -> Callable[..., Any]:
    ending = os.path.splitext(os.fspath(path))[1]
    if ending not in table:
        raise Error(f"'{os.fspath(path)}': trajectories of this ending are not {done}; expected one of: "
                    f"{', '.join(table)}{'; `throng convert` makes .sqlite of it' if ending == '.throng' else ''}")
    return table[ending]


def _sorted(path: str, columns: Dict[str, Any], rate: Any) -> Trajectory:
    """Of columns by name, in any order."""
    building = "z" in columns and "floor" in columns
    try:
        whole = {name: np.asarray(columns[name], np.float64) for name in _NAMES[:5 if building else 4]}
        rate = float(rate)
    except (KeyError, TypeError, ValueError) as error:
        raise Error(f"'{path}' is no trajectory: {error}") from error
    if not (rate > 0 and all(np.isfinite(column).all() for column in whole.values())):
        raise Error(f"'{path}' is no trajectory: its frame rate is {rate}, or a position is no number")
    frame, ids = (whole.pop(name).astype(np.int64) for name in ("frame", "id"))
    order = np.lexsort((ids, frame))
    places = {name: column[order] for name, column in whole.items()}
    if building:
        places["floor"] = np.asarray(columns["floor"], object)[order]
    return Trajectory(frame[order], ids[order], frame_rate=rate, **places)


# ---- files


_PLANE = "SELECT frame, id, pos_x, pos_y FROM trajectory_data"

# Floors and flights of a building are recorded side by side: sheet number n is row n + 1 of both tables.
_BUILDING = """
SELECT frame, id, pos_x - coalesce(s.dx, 0), pos_y - coalesce(s.dy, 0), people.z, coalesce(f.name, '')
FROM trajectory_data people
LEFT JOIN throng_sheets s ON s.rowid = people.sheet + 1 LEFT JOIN throng_floors f ON f.rowid = people.sheet + 1
"""
_IS_BUILDING = """
SELECT 1 FROM pragma_table_info('trajectory_data')
WHERE name = 'sheet' AND EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'throng_sheets')
"""


def _read_sqlite(path: str) -> Trajectory:
    try:
        with sqlite3.connect(pathlib.Path(path).absolute().as_uri() + "?mode=ro", uri=True) as base:
            rate = base.execute("SELECT value FROM metadata WHERE key = 'fps'").fetchone()
            building = base.execute(_IS_BUILDING).fetchone()
            rows = base.execute(_BUILDING if building else _PLANE).fetchall()
    except sqlite3.Error as error:
        raise Error(f"'{path}' is no recording: {error}") from error
    columns = {name: [row[k] for row in rows] for k, name in enumerate(_NAMES if building else _NAMES[:4])}
    return _sorted(path, columns, rate[0] if rate else 0)


def _read_hdf5(path: str) -> Trajectory:
    """JuPedSim's: a dataset `trajectory` of rows (id, frame, x, y, z) with the attribute fps; in a building a row's floor
    follows."""
    import h5py

    try:
        with h5py.File(path, "r") as file:
            table = file["trajectory"]
            rows, rate = table[:], table.attrs["fps"]
            columns = {name: rows[name] for name in rows.dtype.names}
            if "floor" in columns:
                columns["floor"] = [name.decode() for name in columns["floor"]]
            return _sorted(path, columns, rate)
    except (KeyError, OSError, TypeError, ValueError, AttributeError) as error:
        raise Error(f"'{path}' is no trajectory of JuPedSim's: {error}") from error


def _write_hdf5(trajectory: Trajectory, path: str) -> None:
    import h5py

    form = [("id", "i8"), ("frame", "i8"), ("x", "f8"), ("y", "f8"), ("z", "f8"), ("floor", h5py.string_dtype())]
    columns = trajectory.columns()
    rows = np.zeros(len(trajectory.id), form if "floor" in columns else form[:5])
    for name, column in columns.items():
        rows[name] = column
    with h5py.File(path, "w") as file:
        file.create_dataset("trajectory", data=rows).attrs["fps"] = trajectory.frame_rate
        file.attrs["file_version"] = "1.0.0"


def _read_parquet(path: str) -> Trajectory:
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.read_table(path)
        columns = {name: table.column(name).to_numpy() for name in _NAMES if name in table.column_names}
    except pyarrow.ArrowException as error:
        raise Error(f"'{path}' is no trajectory: {error}") from error
    return _sorted(path, columns, (table.schema.metadata or {}).get(b"frame_rate", 0))


def _write_parquet(trajectory: Trajectory, path: str) -> None:
    import pyarrow
    from pyarrow import parquet

    table = pyarrow.table(trajectory.columns(), metadata={"frame_rate": repr(float(trajectory.frame_rate)), "unit": "m"})
    parquet.write_table(table, path)


def _read_csv(path: str) -> Trajectory:
    """Columns in any order below their names; the frame rate is in a line above, or told by a column of time, s."""
    rate: Any = 0
    try:
        with open(path, encoding="utf-8", newline="") as file:
            lines = file.readlines()
        while lines and lines[0].startswith("#"):
            head = lines.pop(0)
            if "cm" in head:
                raise ValueError("its lengths are in cm, expected m")
            rate = head.rpartition(":")[2] if "rate" in head else rate
        names, *rows = csv.reader(lines, skipinitialspace=True)
        columns = {name: [row[k] for row in rows] for k, name in enumerate(names)}
        if not rate and "time" in columns:
            last = int(np.argmax(np.asarray(columns["time"], np.float64)))
            rate = float(columns["frame"][last]) / float(columns["time"][last])
    except (csv.Error, ArithmeticError, IndexError, KeyError, ValueError) as error:
        raise Error(f"'{path}' is no trajectory: {error}") from error
    return _sorted(path, columns, rate)


def _write_csv(trajectory: Trajectory, path: str) -> None:
    columns = trajectory.columns()
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(f"# frame_rate: {float(trajectory.frame_rate)!r}\n")
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(columns)
        rows.writerows(zip(*(column.tolist() for column in columns.values())))


_EMPTY = 'local throng = require "throng" throng.params { file = "" } return throng.world {}'
_JUELICH = """
local recorded, rows = throng.trajectory(throng.params { file = "" }.file), {}
for moment in recorded:moments() do
  local frame = math.floor(moment.time * recorded.fps + 0.5)
  for i, at in ipairs(moment.at) do
    rows[#rows + 1] = ("%d %d %.17g %.17g"):format(frame, moment.id[i], at[1], at[2])
  end
end
read = { rate = recorded.fps, rows = table.concat(rows, " ") }
"""


def _read_juelich(path: str) -> Trajectory:
    """By the library's own reader."""
    from .simulation import load_text

    with load_text(_EMPTY, params={"file": os.path.abspath(path)}) as sim:
        sim.do(_JUELICH)
        rows = np.array(sim.text("read.rows").split(), np.float64).reshape(-1, 4)
        return _sorted(path, dict(zip(_NAMES, rows.T)), sim.number("read.rate"))


def _write_juelich(trajectory: Trajectory, path: str) -> None:
    """Ids and frames of that archive count from 1 and 0."""
    heights = np.zeros(len(trajectory.id)) if trajectory.z is None else trajectory.z
    columns = (trajectory.id, trajectory.frame, trajectory.x, trajectory.y, heights)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"# framerate: {float(trajectory.frame_rate)!r}\n# id frame x/m y/m z/m\n")
        file.writelines("{0} {1} {2!r} {3!r} {4!r}\n".format(*row) for row in zip(*(c.tolist() for c in columns)))


_READERS: Dict[str, Callable[..., Trajectory]] = {
    ".sqlite": _read_sqlite, ".h5": _read_hdf5, ".hdf5": _read_hdf5, ".parquet": _read_parquet, ".csv": _read_csv,
    ".txt": _read_juelich,
}
_WRITERS: Dict[str, Callable[..., None]] = {
    ".parquet": _write_parquet, ".csv": _write_csv, ".txt": _write_juelich, ".h5": _write_hdf5,
}
