"""A study from Python has the rows of `throng study`.

    python3 studies.py results.sqlite scenarios/door.lua
"""
import math
import sqlite3
import sys

import throng

SCENARIO = sys.argv[2]
with sqlite3.connect(sys.argv[1]) as base:
    cursor = base.execute("SELECT width, seed, last_arrival, people, hash FROM runs")
    expected = sorted(cursor.fetchall())
rows = throng.study(SCENARIO, {"width": [0.8, 1.2]}, {"last_arrival": "last_arrival", "people": "#world.agents"},
                    runs=2, seed=3, params={"count": 20})
assert [(row["point"], row["seed"]) for row in rows] == [(0, 3), (0, 4), (1, 3), (1, 4)]
assert not any(row["error"] for row in rows), rows
found = sorted((row["width"], row["seed"], row["last_arrival"], row["people"], row["hash"])
               for row in rows)
assert len(expected) == 4
for mine, its in zip(found, expected):
    assert mine[:2] == its[:2] and mine[4] == its[4], (mine, its)
    assert all(math.isclose(mine[i], its[i], rel_tol=1e-9) for i in (2, 3)), (mine, its)
assert len({row["hash"] for row in rows}) == 4

# a run that fails is a row, and the others are there
rows = throng.study(SCENARIO, {"width": [0.8, -1]}, {"nobody": "nil"}, params={"count": 5})
assert rows[0]["error"] is None and rows[0]["nobody"] is None and rows[0]["hash"], rows
assert rows[1]["error"] and rows[1]["hash"] is None, rows
for what, call in [("column 'seed' already", lambda: throng.study("door.lua", {"seed": [1]}, {})),
                   ("at least one value", lambda: throng.study("door.lua", {"width": []}, {}))]:
    try:
        call()
    except throng.Error as error:
        assert what in str(error), error
    else:
        raise AssertionError(what)
print("studies pass")
