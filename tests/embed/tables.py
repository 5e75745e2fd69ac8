"""Trajectories as files of other tools: what is written is read again, also by those tools where they are installed, and
what is none is an error.

    python3 tables.py trajectory.sqlite     a recording of `throng run`
"""
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np
import pandas
import pyarrow.parquet

import throng

WALK = """
local throng = require "throng"
local world = throng.world { seconds = 3, map = throng.map { boundary = throng.box(-2, -2, 22, 12) } }
world:spawn { count = 20, where = throng.box(0, 0, 9, 9) }:go_to { 20, 5 }
return world
"""
NAMES = ("frame", "id", "x", "y")


def same(one, other):
    assert all(np.array_equal(getattr(one, name), getattr(other, name)) for name in NAMES)
    assert one.frame_rate == other.frame_rate


def refused(path, what):
    try:
        throng.read_trajectory(path)
    except throng.Error as error:
        assert what in str(error), error
    else:
        raise AssertionError(f"{path} was read")


def jupedsim(path):
    """What JuPedSim itself writes is read."""
    try:
        import jupedsim
        from jupedsim.hdf5_serialization import Hdf5TrajectoryWriter
    except ImportError:
        print("jupedsim is not installed: its files are not read")
        return
    writer = Hdf5TrajectoryWriter(output_file=path, every_nth_frame=1)
    sim = jupedsim.Simulation(model=jupedsim.CollisionFreeSpeedModel(), geometry=[(0, 0), (20, 0), (20, 9), (0, 9)],
                              trajectory_writer=writer, dt=0.1)
    goal = sim.add_exit_stage([(18, 3), (19, 3), (19, 6), (18, 6)])
    journey = sim.add_journey(jupedsim.JourneyDescription([goal]))
    for y in 3, 6:
        sim.add_agent(jupedsim.CollisionFreeSpeedModelAgentParameters(journey_id=journey, stage_id=goal, position=(2, y)))
    sim.iterate(20)
    writer.close()
    read = throng.read_trajectory(path)
    assert len(set(read.id)) == 2 and np.isclose(read.frame_rate, 10) and read.x.max() > 3


def pedpy(path, walk):
    try:
        from pedpy import load_trajectory_from_ped_data_archive_hdf5, load_trajectory_from_txt
    except ImportError:
        print("pedpy is not installed: it reads nothing")
        return
    from pathlib import Path

    for read in load_trajectory_from_ped_data_archive_hdf5(trajectory_file=Path(path)), load_trajectory_from_txt(
            trajectory_file=Path(path).with_suffix(".txt")):
        frame = read.data.sort_values(["frame", "id"])
        assert read.frame_rate == walk.frame_rate and np.array_equal(frame["id"], walk.id)
        assert np.allclose(frame["x"], walk.x, atol=1e-6)


with tempfile.TemporaryDirectory() as folder:
    with throng.load_text(WALK) as sim:
        walk = sim.run(every=0.2)
        table = sim.trajectory()
    assert isinstance(table, pandas.DataFrame) and list(table.columns) == ["id", "frame", "x", "y"]
    assert table.attrs["frame_rate"] == walk.frame_rate == 5 and np.array_equal(table["x"], walk.x)
    for ending in ".parquet", ".h5", ".csv", ".txt":
        walk.write(f"{folder}/walk{ending}")
    for ending in ".parquet", ".h5", ".csv":
        same(walk, throng.read_trajectory(f"{folder}/walk{ending}"))
    plain = pyarrow.parquet.read_table(f"{folder}/walk.parquet")
    assert plain.column_names == list(NAMES) and plain.schema.metadata[b"frame_rate"] == b"5.0"
    pedpy(f"{folder}/walk.h5", walk)
    jupedsim(f"{folder}/theirs.h5")

    # by the command, from a recording of `throng run`
    recording = sys.argv[1]
    subprocess.run([sys.executable, "-W", "error", "-m", "throng", recording, f"{folder}/run.parquet"], check=True)
    same(throng.read_trajectory(recording), throng.read_trajectory(f"{folder}/run.parquet"))
    failed = subprocess.run([sys.executable, "-m", "throng", recording, f"{folder}/run.doc"], stderr=subprocess.PIPE)
    assert failed.returncode == 1 and failed.stderr.startswith(b"throng: "), failed

    with open(f"{folder}/bad.parquet", "wb") as file:
        file.write(b"PAR1")
    with h5py.File(f"{folder}/other.h5", "w") as file:
        file["numbers"] = [1, 2]
    with h5py.File(f"{folder}/still.h5", "w") as file:
        file.create_dataset("trajectory", data=np.zeros(2, [("id", "i8"), ("frame", "i8"), ("x", "f8"), ("y", "f8")]))
    with open(f"{folder}/bad.sqlite", "wb") as file:
        file.write(b"SQLite format 3" + bytes(200))
    refused(f"{folder}/bad.parquet", "is no trajectory")
    refused(f"{folder}/other.h5", "is no trajectory of JuPedSim's")
    refused(f"{folder}/still.h5", "is no trajectory of JuPedSim's")
    refused(f"{folder}/bad.sqlite", "is no recording")
    refused(f"{folder}/none.h5", "there is no file")
    assert not os.path.exists(f"{folder}/none.h5")
print("tables pass")
