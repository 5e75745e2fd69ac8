"""A scenario and its world."""
from __future__ import annotations

import ctypes
import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from .dlpack import Tensor
from .library import Agent, Error, Happening, Held, Info, Message, Place, check, library, settings_of, text_of
from .trajectory import Trajectory

__all__ = ["AGENT", "PLACE", "Column", "Event", "Simulation", "load", "load_text", "restore"]

AGENT = np.dtype([("slot", np.int32), ("generation", np.uint32)])
"""An agent: its slot, and the generation that tells it from who had the slot before."""

PLACE = np.dtype([("x", np.float64), ("y", np.float64), ("floor", np.int32)], align=True)
"""A point, m, on a floor: a value of the column "floor"."""


class Event(NamedTuple):
    """What happened to an agent."""

    slot: int
    generation: int
    listener: int
    """Which Simulation.listen."""
    first: Optional[str]
    """"stuck": the cause; "floor": where from; "entered", "left": the place."""
    second: Optional[str]
    """"floor": where to."""


# ---- loading


def load(path: Union[str, "os.PathLike[str]"], **settings: Any) -> Simulation:
    """Runs a scenario file. Settings: seed, backend ("cpu", "cuda", "auto"), simd, threads, params (a mapping for
    throng.params), instructions, memory (bytes of Lua), print (a function that takes what scripts print), keep_inputs (for
    snapshots)."""
    return Simulation(os.fspath(path), None, **settings)


def load_text(text: str, name: str = "scenario.lua", **settings: Any) -> Simulation:
    """The same for a scenario's text; files that it names are looked for where `name` would be."""
    return Simulation(name, text, **settings)


def restore(snapshot: bytes, **settings: Any) -> Simulation:
    """The simulation of a snapshot, made again from its scenario and inputs, which takes as long as it took. Settings but
    seed and params, which are the snapshot's, as for load."""
    return Simulation("", None, snapshot=snapshot, **settings)


@dataclass(frozen=True)
class Column:
    """What is known of a column."""

    name: str
    unit: str
    text: str
    whole: bool
    writable: bool
    least: float
    most: float


class Simulation:
    """A scenario and its world. One thread at a time may use it."""

    def __init__(self, name: str, text: Optional[str], *, snapshot: Optional[bytes] = None, **settings: Any) -> None:
        """For throng.load, throng.load_text and throng.restore, which tell the settings."""
        self._sim: Optional[Held] = None
        self._message = Message()
        self._period, self._since = 0, 0  # steps between frames that are kept, 0: none are; when that began
        self._frames: List[Tuple[np.ndarray, ...]] = []
        given, data = settings_of(**settings), text_of(text or "")
        if snapshot is not None:
            sim = library.throng_sim_restore(snapshot, len(snapshot), given, self._message)
        elif text is None:
            sim = library.throng_sim_load(text_of(name), given, self._message)
        else:
            sim = library.throng_sim_load_text(text_of(name), data, len(data), given, self._message)
        self._check(sim)
        self._sim = Held(sim, library.throng_sim_destroy, given)

    def _check(self, fine: Any) -> None:
        check(fine, self._message)

    @property
    def _own(self) -> Held:
        if not self._sim:
            raise Error("the simulation was closed")
        return self._sim

    def close(self) -> None:
        """Frees it, or, where somebody has its columns, when nobody has them any more."""
        self._sim = None

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    # ---- snapshots and lockstep: of simulations that were loaded with keep_inputs

    def snapshot(self) -> bytes:
        """What throng.restore makes it again of, as it is now, with everything in it."""
        data, size = ctypes.c_void_p(), ctypes.c_size_t()
        self._check(library.throng_sim_snapshot(self._own, data, size, self._message))
        try:
            return ctypes.string_at(data, size.value)
        finally:
            library.throng_sim_snapshot_free(data)

    def inputs(self) -> bytes:
        """What it was told since the last call, steps included, for `apply` of another one."""
        data, size = ctypes.c_void_p(), ctypes.c_size_t()
        self._check(library.throng_sim_inputs(self._own, data, size, self._message))
        return ctypes.string_at(data, size.value)

    def apply(self, inputs: bytes) -> None:
        """Is told the same."""
        self._check(library.throng_sim_apply(self._own, inputs, len(inputs), self._message))

    # ---- time

    def step(self) -> None:
        """One frame with its callbacks."""
        self._check(library.throng_sim_step(self._own, self._message))
        if self._period and (self.steps - self._since) % self._period == 0:
            self._keep()

    @property
    def ended(self) -> bool:
        """Would `throng run` end here?"""
        ended = ctypes.c_bool()
        self._check(library.throng_sim_ended(self._own, ended, self._message))
        return ended.value

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return float(library.throng_sim_time(self._own))

    @property
    def dt(self) -> float:
        """A step, s."""
        return float(library.throng_sim_dt(self._own))

    @property
    def steps(self) -> int:
        """Steps taken."""
        return int(library.throng_sim_steps(self._own))

    @property
    def seed(self) -> int:
        """Seed of everything random."""
        return int(library.throng_sim_seed(self._own))

    @property
    def backend(self) -> str:
        """Where frames are computed: "cpu" or "cuda"."""
        return str(library.throng_sim_backend(self._own).decode())

    @property
    def hash(self) -> str:
        """Of all that agents are: the same on every backend, and as `throng run` prints it."""
        value = ctypes.c_uint64()
        self._check(library.throng_sim_hash(self._own, value, self._message))
        return f"{value.value:016x}"

    # ---- trajectories

    def record(self, every: float = 0.1) -> None:
        """Keeps the positions of everybody, now and every so many seconds from now on."""
        self._period = max(1, round(every / self.dt))
        self._since, self._frames = self.steps, []
        self._keep()

    def _keep(self) -> None:
        living = self.agents["slot"]
        number = np.full(len(living), len(self._frames), np.int64)
        columns = (number, *(self[name][living] for name in ("id", "x", "y", "floor")), self.heights)
        self._frames.append(columns)

    def recorded(self) -> Trajectory:
        """What was kept so far."""
        if not self._frames:
            raise Error("nothing was recorded: call record() before the steps")
        frame, ids, x, y, floor, z = (np.concatenate(part) for part in zip(*self._frames))
        rate, floors = 1 / (self._period * self.dt), np.array(self.floors, object)
        building = {"z": z, "floor": floors[floor]} if len(floors) else {}
        return Trajectory(frame, ids, x, y, rate, **building)

    def trajectory(self) -> Any:
        """The same as a pandas data frame that pedpy.TrajectoryData takes, with its frame rate in
        `attrs["frame_rate"]`, and in a building with z and floor."""
        return self.recorded().to_dataframe()

    def run(self, every: float = 0.1) -> Trajectory:
        """Steps to the end, and keeps positions every so many seconds, from now on."""
        self.record(every)
        while not self.ended:
            self.step()
        return self.recorded()

    # ---- agents

    def __len__(self) -> int:
        return int(library.throng_sim_count(self._own))

    @property
    def agents(self) -> np.ndarray:
        """The living agents by slot, an array of AGENT."""
        agents = np.empty(len(self), AGENT)
        library.throng_sim_agents(self._own, agents.ctypes.data)
        return agents

    @property
    def arrivals(self) -> np.ndarray:
        """Who arrived in the last step, an array of AGENT."""
        agents, count = ctypes.POINTER(Agent)(), ctypes.c_int32()
        self._check(library.throng_sim_arrivals(self._own, agents, count, self._message))
        return np.array([(agents[i].slot, agents[i].generation) for i in range(count.value)], AGENT)

    def listen(self, event: str, place: Optional[str] = None) -> int:
        """From now on `events` has what happens to agents, to those who come later, too: "arrived", "stuck", "floor",
        "incapacitated", or "entered" and "left" with a region's name. The number of the listener."""
        listener = ctypes.c_int32()
        self._check(library.throng_sim_listen(self._own, text_of(event), None if place is None else text_of(place),
                                               listener, self._message))
        return listener.value

    @property
    def events(self) -> List[Event]:
        """Those of the last step, of all listeners."""
        events, count = ctypes.POINTER(Happening)(), ctypes.c_int32()
        library.throng_sim_events(self._own, events, count)
        return [Event(e.agent.slot, e.agent.generation, e.listener, *(w and w.decode() for w in (e.first, e.second)))
                for e in events[:count.value]]

    @property
    def heights(self) -> np.ndarray:
        """How high the living agents stand in a building, by slot, m."""
        agents = self.agents
        heights = np.empty(len(agents), np.float32)
        self._check(library.throng_sim_heights(self._own, agents.ctypes.data, len(agents), heights.ctypes.data,
                                               self._message))
        return heights

    # ---- regions and floors

    def count_in(self, region: str) -> int:
        """How many agents have their middle in a region."""
        count = ctypes.c_int32()
        self._check(library.throng_sim_count_in(self._own, text_of(region), count, self._message))
        return count.value

    @property
    def floors(self) -> List[str]:
        """Names of a building's floors, halves of flights and stops of lifts, as the column "floor" numbers them."""
        count = library.throng_sim_floor_count(self._own)
        return [library.throng_sim_floor_name(self._own, floor).decode() for floor in range(count)]

    def height(self, x: float, y: float, floor: int = 0) -> float:
        """How high a floor of a building is at a point, m."""
        return float(library.throng_sim_height(self._own, Place(x, y, floor)))

    # ---- columns

    @property
    def columns(self) -> Dict[str, Column]:
        """All columns by name."""
        infos = (self._info(i) for i in range(library.throng_sim_column_count(self._own)))
        return {
            info.name.decode(): Column(info.name.decode(), info.unit.decode(), info.text.decode(), info.whole,
                                       info.writable, info.least, info.most)
            for info in infos
        }

    def _info(self, column: int) -> Info:
        info = Info()
        library.throng_sim_column(self._own, column, info)
        return info

    def _column(self, name: str) -> int:
        number = int(library.throng_sim_column_named(self._own, text_of(name)))
        if number < 0:
            raise Error(f"there is no column '{name}'; there are: {', '.join(self.columns)}")
        return number

    def __getitem__(self, name: str) -> np.ndarray:
        """The column by slot, without a copy: valid until the simulation steps or is changed. Of slots where nobody
        lives it means nothing: sim["x"][sim.agents["slot"]]."""
        number = self._column(name)
        data = library.throng_sim_read(self._own, number, self._message)
        self._check(data)
        slots = library.throng_sim_slots(self._own)
        kind = ctypes.c_int32 if self._info(number).whole else ctypes.c_float
        if slots == 0:
            return np.empty(0, kind)
        array = np.ctypeslib.as_array(self._own.lent(data, kind, slots))
        array.flags.writeable = False
        return array

    def tensor(self, name: str) -> Tensor:
        """The column by slot for libraries that take DLPack, like torch.from_dlpack(sim.tensor("x")): without a copy, on
        the CUDA device when the simulation runs there. Valid until the simulation steps or is changed."""
        number, device = self._column(name), ctypes.c_int32()
        data = library.throng_sim_share(self._own, number, device, self._message)
        self._check(data)
        return Tensor(self._own, data, library.throng_sim_slots(self._own), self._info(number).whole, device.value)

    def write(self, name: str, values: Any, agents: Optional[np.ndarray] = None) -> None:
        """Writes a column of these agents (none: of all who live, by slot); all values are checked first."""
        agents = self._agents(agents)
        values = np.ascontiguousarray(np.broadcast_to(values, len(agents)), np.float64)
        self._check(library.throng_sim_write(self._own, self._column(name), agents.ctypes.data, values.ctypes.data,
                                              len(agents), self._message))

    @contextmanager
    def edit(self, name: str) -> Iterator[np.ndarray]:
        """A copy of a column by slot, whose changes are written when the block ends, all of them checked first:
        with sim.edit("speed") as speed: speed *= 0.9"""
        number = self._column(name)
        data = library.throng_sim_edit(self._own, number, self._message)
        self._check(data)
        yield np.ctypeslib.as_array(self._own.lent(data, ctypes.c_float, library.throng_sim_slots(self._own)))
        self._check(library.throng_sim_commit(self._own, number, self._message))

    def _agents(self, agents: Optional[np.ndarray]) -> np.ndarray:
        return self.agents if agents is None else np.ascontiguousarray(np.atleast_1d(agents), AGENT)

    def group_name(self, group: int) -> Optional[str]:
        """The name of a group, by its number in the column "group"."""
        name = library.throng_sim_group_name(self._own, group)
        return name.decode() if name is not None else None

    # ---- what agents do

    def steer(self, velocities: Any, agents: Optional[np.ndarray] = None) -> None:
        """From now on these agents wish to walk with the velocities, [n, 2] m/s, until the next call; their planner
        makes of them what collides with nobody."""
        agents = self._agents(agents)
        wishes = np.ascontiguousarray(np.broadcast_to(velocities, (len(agents), 2)), np.float32)
        self._check(library.throng_sim_steer(self._own, agents.ctypes.data, wishes.ctypes.data, len(agents),
                                              self._message))

    def place(self, positions: Any, agents: Optional[np.ndarray] = None) -> None:
        """For movement of your own: puts these agents at the positions, [n, 2] m, for the next step."""
        agents = self._agents(agents)
        xy = np.ascontiguousarray(np.broadcast_to(positions, (len(agents), 2)), np.float32)
        self._check(library.throng_sim_place(self._own, agents.ctypes.data, xy.ctypes.data, len(agents), self._message))

    def release(self, agents: Optional[np.ndarray] = None) -> None:
        """They walk to their goals again."""
        agents = self._agents(agents)
        self._check(library.throng_sim_release(self._own, agents.ctypes.data, len(agents), self._message))

    def play(self, x: float, y: float) -> None:
        """The scenario's player walks in that direction, a unit vector, or 0 to stand, until steered again."""
        self._check(library.throng_sim_play(self._own, x, y, self._message))

    def do(self, lua: str, agents: Optional[np.ndarray] = None) -> None:
        """Runs Lua with `world` and `throng`, and with a group of these agents as `group`: "group:go_to 'exit'"."""
        if agents is None:
            self._check(library.throng_sim_do(self._own, text_of(lua), self._message))
            return
        agents = self._agents(agents)
        self._check(library.throng_sim_do_with(self._own, agents.ctypes.data, len(agents), text_of(lua),
                                                self._message))

    def number(self, lua: str) -> float:
        """The value of an expression, like "world:stats().arrived"."""
        value = ctypes.c_double()
        self._check(library.throng_sim_number(self._own, text_of(lua), value, self._message))
        return value.value

    def text(self, lua: str) -> str:
        """The value of an expression as text, like "world.groups.people.name"."""
        value = library.throng_sim_text(self._own, text_of(lua), self._message)
        self._check(value is not None)
        return str(value.decode())

    def spawn(self, points: Any, settings: str = "{}") -> np.ndarray:
        """world:spawn of the settings, a Lua table, at points [n, 2], m; the agents."""
        places = np.ascontiguousarray(np.atleast_2d(points), np.float32)
        if places.ndim != 2 or places.shape[1] != 2:
            raise Error(f"points are an array [n, 2], got one of shape {places.shape}")
        agents = np.empty(len(places), AGENT)
        self._check(library.throng_sim_spawn(self._own, text_of(settings), places.ctypes.data, len(places),
                                              agents.ctypes.data, self._message))
        return agents

    def path(self, start: Sequence[float], end: Sequence[float], radius: float = 0.25) -> Tuple[np.ndarray, float]:
        """The shortest path for a disc of that radius: its corners, an array of PLACE ("x", "y", m, "floor"), and its
        length, m; none: no corners and inf. Its ends are (x, y) or, in a building, (x, y, floor), the floor's number
        among `floors`."""
        most = 64
        ends = [Place(*end[:2], *map(int, end[2:])) for end in (start, end)]
        while True:
            corners, count, length = np.empty(most, PLACE), ctypes.c_int32(), ctypes.c_double()
            self._check(library.throng_sim_path(self._own, *ends, radius, corners.ctypes.data, most, count, length,
                                                 self._message))
            if count.value <= most:
                return corners[:count.value], length.value
            most = count.value
