"""A program of its own with a crowd in it, in Python: what throng's package does. Prints the hash of a scenario, which is that
of `throng run`.

    pip install build/wheel/throng-*.whl
    python3 crowd.py scenarios/evacuation.lua
"""
import sys
import tempfile

import numpy as np

import throng
from throng import dlpack

HALL = """
local throng = require "throng"
local params = throng.params { count = 30, closed = false }
print("made", params.count, params.closed)
local world = throng.world {
  map = throng.map { boundary = throng.box(0, 0, 30, 10), walls = { throng.box(15, 0, 15.2, 3) } },
  regions = { left = throng.box(1, 1, 6, 9), right = throng.box(24, 1, 29, 9) }, threads = 1, seconds = 60,
}
world:spawn { count = params.count, where = "right", name = "visitors" }:go_to "left"
return world
"""

FROM_TEXT = """
local throng = require "throng"
local world = throng.world { people = false }
world:spawn { from = throng.trajectory("some.txt", 0), radius = 0.2 }
return world
"""


def refused(what, call):
    try:
        call()
    except throng.Error as error:
        assert what in str(error), error
    else:
        raise AssertionError(f"no error about {what}")


def own_agents():
    said = []
    sim = throng.load_text(HALL, seed=4, params={"count": 12, "closed": True}, print=said.append)
    assert "".join(said) == "made\t12\ttrue\n", said
    assert len(sim) == 12 and sim.seed == 4 and sim.backend == "cpu"
    own = sim.spawn([[2, 5], [3, 5]], "{ name = 'own', planner = 'rvo' }")
    assert sim.group_name(sim["group"][own["slot"][1]]) == "own"
    sim.steer([1.2, 0], own)
    arrived = 0
    for _ in range(40):
        sim.step()
        arrived += len(sim.arrivals)
    x = sim["x"]
    assert x[own["slot"]].min() > 5 and not x.flags.writeable
    sim.release(own)
    sim.do("group:remove()", own[:1])
    assert len(sim) == 13 and own[0] not in sim.agents and own[1] in sim.agents
    sim.write("speed", 0.5)
    assert np.all(sim["speed"][sim.agents["slot"]] == 0.5)
    with sim.edit("speed") as speed:
        speed[:] *= 3
    assert np.all(sim["speed"][sim.agents["slot"]] == 1.5)
    corners, length = sim.path((14, 1), (16, 1))
    assert len(corners) > 2 and 4 < length < 7 and corners["x"][-1] == 16, (corners, length)
    assert sim.floors == [] and sim.height(14, 1) == 0 and sim.path((14, 1, 0), (16, 1, 0))[1] == length
    assert sim.path((14, 1), (90, 1))[1] == float("inf")
    assert sim.number("#world.agents") == 13
    assert sim.columns["speed"].unit == "m/s" and sim.columns["id"].whole
    refused("is gone", lambda: sim.write("speed", 1, own[:1]))
    refused("not from 0 to 1000", lambda: sim.write("speed", [float("nan")] * 13))
    refused("there is no column 'sped'", lambda: sim["sped"])
    refused("did you mean 'count'?", lambda: sim.do("world:spawn { cuont = 1 }"))
    refused("there is no such file", lambda: throng.load("none.lua"))
    x, place = sim["x"], sim["x"].copy()
    sim.close()
    refused("was closed", sim.step)
    others = [throng.load_text(HALL, seed=seed) for seed in range(8)]  # they would take the memory of what was freed
    assert np.array_equal(x, place) and len(others) == 8
    assert np.isfinite(throng.load_text(HALL)["x"]).all()


def settings():
    """What would be cut off on its way to the library is refused."""
    for given, what in [({"seed": 2**70}, f"seed must be a whole number from 0 to {2**63 - 1}, got {2**70}"),
                        ({"seed": -5}, "seed must be"), ({"simd": 2**32 + 4}, "simd must be a whole number from 0 to"),
                        ({"threads": -1}, "threads must be"), ({"memory": -1}, "memory must be"),
                        ({"instructions": 2**63}, "instructions must be"),
                        ({"params": {"count": "4\0 99"}}, "a text has a zero byte after 'count=4'")]:
        refused(what, lambda given=given: throng.load_text(HALL, **given))
    sim = throng.load_text(HALL, seed=np.int64(7), params={"count": 2})
    assert sim.seed == 7
    for call in sim.do, sim.number, sim.text, sim.count_in, sim.listen, sim.__getitem__:
        refused("a text has a zero byte after '1 + 1'", lambda call=call: call("1 + 1\0 garbage"))
    refused("a zero byte", lambda: sim.spawn([[2, 5]], "{}\0"))
    refused("a zero byte", lambda: throng.load("none.lua\0"))
    refused("a zero byte", lambda: throng.load_text(HALL + "\0"))


def tensors():
    sim = throng.load_text(HALL)
    sim.step()
    for name, kind in ("x", np.float32), ("id", np.int32), ("heat_dose", np.float32):
        column, tensor = sim[name], sim.tensor(name)
        assert tensor.__dlpack_device__() == (1, 0) and len(tensor) == len(column) >= 30
        shared = np.from_dlpack(tensor)
        assert shared.dtype == kind and np.array_equal(shared, column), name
        assert shared.ctypes.data == column.ctypes.data, name  # not a copy
    capsules = [sim.tensor("x").__dlpack__(), sim.tensor("x").__dlpack__(max_version=(1, 1))]
    assert len(dlpack._lent) >= 2
    del capsules, shared
    assert not dlpack._lent  # given back by numpy, and by nobody having taken them
    x = np.from_dlpack(sim.tensor("x"))
    del sim, tensor  # the memory stays as long as somebody has it
    assert np.isfinite(x[:30]).all()
    try:
        throng.load_text(HALL).tensor("x").__dlpack__(dl_device=(2, 0))
    except BufferError as error:
        assert "copy it there" in str(error)
    else:
        raise AssertionError("a copy was promised")


def trajectories():
    with throng.load_text(HALL) as sim:
        all_frames = sim.run(every=0.5)
        assert sim.ended and all_frames.frame_rate == 2
        assert len(set(all_frames.id)) == 30
        first = all_frames.frame == 0
        assert first.sum() == 30 and all_frames.x[first].min() > 24
        assert all_frames.x[all_frames.frame == all_frames.frame.max()].max() < 8
    with throng.load_text(HALL) as sim:
        refused("call record()", sim.recorded)
        sim.step()
        sim.record(every=0.2)
        for _ in range(5):
            sim.step()
        some = sim.recorded()
        assert some.frame.tolist() == sorted(list(range(3)) * 30) and some.frame_rate == 5
        assert not np.array_equal(some.x[-30:], sim["x"][sim.agents["slot"]])  # which is a step later
        with tempfile.TemporaryDirectory() as folder:
            for ending in ".csv", ".txt":
                some.write(f"{folder}/some{ending}")
            again = throng.read_trajectory(f"{folder}/some.csv")
            assert all(np.array_equal(getattr(some, name), getattr(again, name)) for name in ("frame", "id", "x", "y"))
            assert again.frame_rate == 5
            with throng.load_text(FROM_TEXT, f"{folder}/read.lua") as same:
                first = some.frame == 0
                assert np.allclose(np.sort(same["x"][same.agents["slot"]]), np.sort(some.x[first]), atol=1e-6)
            refused("expected one of: .parquet, .csv, .txt, .h5", lambda: some.write(f"{folder}/some.doc"))
            refused("there is no file", lambda: throng.read_trajectory(f"{folder}/none.csv"))
            with open(f"{folder}/bad.csv", "w", encoding="utf-8") as file:
                file.write("# frame_rate: 5\nframe,id,x,y\n0,1,a,2\n")
            refused("is no trajectory", lambda: throng.read_trajectory(f"{folder}/bad.csv"))


def snapshots():
    said = []
    with throng.load_text(HALL, params={"count": 9}, keep_inputs=True, print=said.append) as sim:
        own = sim.spawn([[2, 5]], "{ name = 'own' }")
        sim.steer([1, 0.2], own)
        for _ in range(20):
            sim.step()
        taken, said_then = sim.snapshot(), list(said)
        with throng.restore(taken, simd=1, print=said.append) as again:
            assert again.hash == sim.hash and len(again) == 10 and said == said_then, said
            for each in sim, again:
                each.do("world.groups.own.speed = 0.3")
                each.step()
            assert again.hash == sim.hash
        sim.inputs()
        other = throng.restore(sim.snapshot())
        sim.step()
        other.apply(sim.inputs())
        assert other.hash == sim.hash and other.steps == 22
    refused("is no snapshot", lambda: throng.restore(b"THRONG"))
    refused("load it with keep_inputs", throng.load_text(HALL).snapshot)


own_agents()
settings()
tensors()
trajectories()
snapshots()
with throng.load(sys.argv[1]) as evacuation:
    while not evacuation.ended:
        evacuation.step()
    print(evacuation.hash, throng.version())
