"""Trajectories as files of other tools: what is written is read again, also by those tools where they are installed, and
what is none is an error.

    python3 tables.py trajectory.sqlite tower.sqlite tower.csv tower.lua

A recording of `throng run`; one of a building, what `throng convert` makes of it, and its scenario.
"""
import csv
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
    columns, others = one.columns(), other.columns()
    assert list(columns) == list(others) and one.frame_rate == other.frame_rate
    assert all(np.array_equal(columns[name], others[name]) for name in columns)


def refused(path, what):
    try:
        throng.read_trajectory(path)
    except throng.Error as error:
        assert what in str(error), error
    else:
        raise AssertionError(f"{path} was read")


def building(folder, recording, converted, scenario):
    """Floors lie over each other, as `throng convert` has them, in all files and in a simulation."""
    read = throng.read_trajectory(recording)
    with open(converted, encoding="utf-8", newline="") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: (int(row["frame"]), int(row["id"])))
    assert len(rows) == len(read.id) and len(set(read.floor)) > 3
    for name, column in read.columns().items():
        told = [value if name == "floor" else f"{value:.9g}" for value in column.tolist()]
        assert told == [row[name] for row in rows], name
    assert throng.read_trajectory(converted).frame_rate == read.frame_rate
    for ending in ".parquet", ".h5", ".csv":
        read.write(f"{folder}/tower{ending}")
        same(read, throng.read_trajectory(f"{folder}/tower{ending}"))
    read.write(f"{folder}/tower.txt")
    assert np.array_equal(np.loadtxt(f"{folder}/tower.txt")[:, 4], read.z)
    with throng.load(scenario) as sim:
        sim.record(1 / read.frame_rate)
        for _ in range(read.frame.max()):
            sim.step()
        walk = sim.recorded()
        for name, column in walk.columns().items():
            told = read.columns()[name]  # as wide as a float is where floors lie side by side
            assert np.array_equal(column, told) if name == "floor" else np.allclose(column, told, atol=1e-5), name
        assert list(sim.trajectory().columns) == ["id", "frame", "x", "y", "z", "floor"]


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
        same(walk, throng.read_trajectory(f"{folder}/walk{ending}"))
    plain = pyarrow.parquet.read_table(f"{folder}/walk.parquet")
    assert plain.column_names == list(NAMES) and plain.schema.metadata[b"frame_rate"] == b"5.0"
    pedpy(f"{folder}/walk.h5", walk)
    jupedsim(f"{folder}/theirs.h5")

    building(folder, *sys.argv[2:])

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
    with open(f"{folder}/bad.txt", "w", encoding="utf-8") as file:
        file.write("# framerate: 5\n1 0 2 3\n")
    refused(f"{folder}/bad.txt", "does not say whether lengths are in m or cm")
    with open(f"{folder}/bad.csv", "w", encoding="utf-8") as file:
        file.write("# framerate: 5\n# id frame x/cm y/cm\nid,frame,x,y\n1,0,2,3\n")
    refused(f"{folder}/bad.csv", "lengths are in cm")
    assert not os.path.exists(f"{folder}/none.h5")
print("tables pass")
