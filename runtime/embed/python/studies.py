"""Many runs of a scenario, on all processors of this machine: what `throng study` does with a file, from Python."""
from __future__ import annotations

import itertools
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from .library import Error
from .simulation import Simulation, load

__all__ = ["study"]

STATISTICS = ("arrived", "first_arrival", "last_arrival", "mean_travel", "worst_travel", "overlaps")


def _measured(sim: Simulation, lua: str) -> Optional[float]:
    """The value of an expression, or of a name of world:stats(); None: it is nil."""
    value = f"world:stats().{lua}" if lua in STATISTICS else f"({lua})"
    return None if sim.number(f"{value} == nil") else sim.number(value)


def study(path: Union[str, "os.PathLike[str]"], factors: Mapping[str, Sequence[Any]], measure: Mapping[str, str], *,
          runs: int = 1, seed: int = 1, jobs: Optional[int] = None, **settings: Any) -> List[Dict[str, Any]]:
    """Runs the scenario with each combination of the factors' values, its throng.params, `runs` times each with the seeds
    `seed`, `seed` + 1 ..., to its end. `measure` has what is asked of the world then, by name: Lua like "#world.agents" or a
    name of world:stats() like "last_arrival". A row a run, for pandas.DataFrame: point, seed, the factors, what was
    measured, hash, the time of its end, s, and error, what a run failed by, or None. Settings are those of throng.load."""
    taken = {"point", "seed", "hash", "time", "error"} & {*factors, *measure} | set(factors) & set(measure)
    if taken:
        raise Error(f"a study has a column '{sorted(taken)[0]}' already: name the factor or measure otherwise")
    if runs < 1 or not all(len(values) for values in factors.values()):
        raise Error("a study has at least one run, and each factor at least one value")
    points = [dict(zip(factors, values)) for values in itertools.product(*factors.values())]
    orders = [(number, seed + replicate, point) for number, point in enumerate(points) for replicate in range(runs)]
    settings.setdefault("threads", 1)
    params = dict(settings.pop("params", None) or {})

    def run(number: int, its_seed: int, point: Dict[str, Any]) -> Dict[str, Any]:
        row: Dict[str, Any] = {"point": number, "seed": its_seed, **point}
        row.update(dict.fromkeys(measure), hash=None, time=None, error=None)
        try:
            with load(path, seed=its_seed, params={**params, **point}, **settings) as sim:
                while not sim.ended:
                    sim.step()
                row.update({name: _measured(sim, lua) for name, lua in measure.items()}, hash=sim.hash,
                           time=sim.time)
        except Error as error:
            row["error"] = str(error)
        return row

    with ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        return list(pool.map(lambda order: run(*order), orders))
