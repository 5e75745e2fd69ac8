"""throng: crowds scripted in Lua, from Python.

A simulation is a scenario in Lua with its world. What is said, is said in Lua; what is done every frame, is done here,
on columns of all agents, which are NumPy arrays of the simulation's own memory.

    import throng

    sim = throng.load("evacuation.lua", seed=3, params={"guests": 600})
    while not sim.ended:
        sim.step()
    print(sim.time, sim.hash)

Units are m, s and rad. The same scenario, seed and calls give the same bits on every backend, as `throng run` does.
This is runtime/throng.h; what is wrong raises throng.Error.
"""
from __future__ import annotations

from .dlpack import Tensor
from .environment import Environment
from .library import Error
from .library import library as _library
from .simulation import AGENT, PLACE, Column, Event, Simulation, load, load_text, restore
from .studies import study
from .trajectory import Trajectory, read_trajectory

__all__ = ["AGENT", "PLACE", "Column", "Environment", "Error", "Event", "Simulation", "Tensor", "Trajectory", "load",
           "load_text", "read_trajectory", "restore", "study", "version"]


def version() -> str:
    """The library's version, like "0.1.0"."""
    return str(_library.throng_version().decode())
