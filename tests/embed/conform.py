"""The conformance list by the Python package: conform.py SCENARIO... prints what conform.c and conform.lua print."""
import re
import sys

import numpy as np

import throng

HALL = "tests/embed/conform_hall.lua"


def say(*parts):
    print(*parts, sep="\t")


def told(call):
    try:
        call()
    except throng.Error as error:
        return re.sub(r"^[^ ]+:\d+: ", "", str(error).split("\n")[0])
    raise AssertionError("no error")


for path in sys.argv[1:]:
    with throng.load(path) as sim:
        for _ in range(40):
            sim.step()
        say("hash", path, sim.hash)

assert "'none.lua': there is no such file" in told(lambda: throng.load("none.lua"))
say("error", "none.lua")
say("error", told(lambda: throng.load(HALL, params={"cuont": 3})))
say("error", told(lambda: throng.load(HALL, params={"count": "many"})))

sim = throng.load(HALL, seed=5, params={"count": 14}, keep_inputs=True)
heard = [("arrived", sim.listen("arrived")), ("entered", sim.listen("entered", "right")),
         ("left", sim.listen("left", "left"))]
for step in range(1, 121):
    ids = sim["id"][sim.agents["slot"]]
    if step == 10:
        sim.write("speed", 0.5, sim.agents[ids < 3])
    if step == 20:
        sim.do("group:go_to 'right'", sim.spawn([[2, 4]], "{ name = 'late' }"))
    if step == 30:
        gone = sim.agents[ids == 4]
        sim.do("group:remove()", gone)
    sim.step()
    for event, listener in heard:
        for who in sorted(int(sim["id"][e.slot]) for e in sim.events if e.listener == listener):
            say("event", step, event, who)
say("text", sim.text("table.concat({ world.groups.people.name, #world.agents }, ' ')"))
say("living", len(sim), f"{sim.time:.14g}")
for name in "id", "x", "vy", "speed", "patience":
    say("column", name, " ".join("%.9g" % value for value in sim[name][sim.agents["slot"]]))
say("hash", "hall", sim.hash)
assert "there is no column 'sped'" in told(lambda: sim["sped"])
say("error", "column")
say("error", told(lambda: sim.do("world:spawn { cuont = 1 }")))
assert "no text" in told(lambda: sim.text("{}"))
say("error", told(lambda: sim.listen("entered", "rigth")))
assert "not from 0 to 1000" in told(lambda: sim.write("speed", -1))
assert "is gone" in told(lambda: sim.write("speed", np.ones(1), gone))
say("error", "value")

again = throng.restore(sim.snapshot())
for _ in range(10):
    again.step()
say("snapshot", again.hash)
