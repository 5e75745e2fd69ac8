"""Scenarios that say who learns (world:environment) as environments of Gymnasium and of PettingZoo, whose packages must
be there.

    envs = throng.gym.VectorEnv("scenarios/learning.lua", num_envs=64)

Of Gymnasium a world is an environment: all of its learners are seen and told together, arrays [agents, n], and their
rewards are added up; `info["rewards"]` has them apart. Of PettingZoo a learner is an agent.
"""
from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode

from .environment import Environment

try:
    from pettingzoo import ParallelEnv as _Parallel
except ImportError:
    _Parallel = None

__all__ = ["Env", "ParallelEnv", "VectorEnv"]


def _spaces(env: Environment, *lead: int) -> Tuple[Box, Box]:
    """What is seen, and what is said, by so many at once."""
    made = []
    for bounds in env.observation_bounds, env.action_bounds:
        low, high = (np.broadcast_to(side, (*lead, len(bounds))).copy() for side in bounds.T)
        made.append(Box(low, high, dtype=np.float32))
    return made[0], made[1]


def _seeds(random: np.random.Generator, count: int) -> np.ndarray:
    return random.integers(0, 2**31, count, dtype=np.int64)


class Env(gymnasium.Env):
    """One world."""

    metadata: Dict[str, Any] = {"render_modes": []}

    def __init__(self, path: str, **settings: Any) -> None:
        self.worlds = Environment(path, 1, **settings)
        self.observation_space, self.action_space = _spaces(self.worlds, self.worlds.agents)

    def _info(self) -> Dict[str, Any]:
        return {"rewards": self.worlds.rewards[0].copy(), "ended": self.worlds.ended[0].copy()}

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[Dict[str, Any]] = None) -> Tuple[np.ndarray, Dict[str, Any]]:
        """Begins the world again; without a seed with one of the environment's own generator."""
        super().reset(seed=seed)
        self.worlds.reset(_seeds(self.np_random, 1))
        return self.worlds.observations[0].copy(), self._info()

    def step(self, action: Any) -> Tuple[np.ndarray, float, bool, bool, Dict[str, Any]]:
        """What all learners do, [agents, n]."""
        self.worlds.step(np.asarray(action)[None])
        ended, cut = bool(self.worlds.ended[0].all()), bool(self.worlds.cut[0])
        return self.worlds.observations[0].copy(), float(self.worlds.rewards[0].sum()), ended, cut, self._info()

    def close(self) -> None:
        """Frees the world."""
        self.worlds.close()


class VectorEnv(gymnasium.vector.VectorEnv):
    """Many worlds, stepped on all processors. One that is over begins again in the step after that
    (AutoresetMode.NEXT_STEP)."""

    metadata: Dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, path: str, num_envs: int = 1, copy: bool = True, **settings: Any) -> None:
        """Without `copy`, observations are the worlds' own arrays, which the next step fills again."""
        self.worlds = Environment(path, num_envs, **settings)
        self.num_envs = num_envs
        self._copy = copy
        self.single_observation_space, self.single_action_space = _spaces(self.worlds, self.worlds.agents)
        self.observation_space, self.action_space = _spaces(self.worlds, num_envs, self.worlds.agents)

    def _seen(self) -> np.ndarray:
        return self.worlds.observations.copy() if self._copy else self.worlds.observations

    def _info(self) -> Dict[str, Any]:
        there = np.ones(self.num_envs, np.bool_)
        return {"rewards": self.worlds.rewards.copy(), "_rewards": there, "ended": self.worlds.ended.copy(),
                "_ended": there}

    def reset(self, *, seed: Any = None, options: Optional[Dict[str, Any]] = None) -> Tuple[np.ndarray, Dict[str, Any]]:
        """Begins all worlds again; `seed` is one for each, or a number that theirs are drawn from."""
        seeds = None if seed is None else np.atleast_1d(seed)
        super().reset(seed=None if seeds is None else seeds[0].item(), options=options)
        drawn = seeds is None or np.ndim(seed) == 0
        self.worlds.reset(_seeds(self.np_random, self.num_envs) if drawn else seeds)
        return self._seen(), self._info()

    def step(self, actions: Any) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Dict[str, Any]]:
        """What the learners of all worlds do, [num_envs, agents, n]."""
        again = np.flatnonzero(self.worlds.over)
        self.worlds.step(actions)
        if again.size:
            self.worlds.reset(_seeds(self.np_random, again.size), again)
        rewards = self.worlds.rewards.sum(axis=1, dtype=np.float64)
        ended = np.asarray(self.worlds.ended.all(axis=1))
        return self._seen(), rewards, ended, self.worlds.cut.copy(), self._info()

    def close_extras(self, **kwargs: Any) -> None:
        """Frees the worlds."""
        self.worlds.close()


class ParallelEnv(_Parallel if _Parallel else object):  # type: ignore[misc]
    """Learners of one world, or of `worlds` side by side, as PettingZoo's agents: learner_0, learner_1 ..., world after
    world. It is over when all of them have ended."""

    metadata: Dict[str, Any] = {"name": "throng", "render_modes": []}

    def __init__(self, path: str, worlds: int = 1, **settings: Any) -> None:
        if not _Parallel:
            raise ImportError("throng.gym.ParallelEnv needs the package pettingzoo: pip install pettingzoo")
        self.worlds = Environment(path, worlds, **settings)
        self.possible_agents: List[str] = [f"learner_{i}" for i in range(self.worlds.rewards.size)]
        self.agents: List[str] = []
        self.render_mode = None
        self._number = {name: i for i, name in enumerate(self.possible_agents)}
        self._random = np.random.default_rng()
        seen, said = zip(*(_spaces(self.worlds) for _ in self.possible_agents))
        self.observation_spaces: Dict[str, Box] = dict(zip(self.possible_agents, seen))
        self.action_spaces: Dict[str, Box] = dict(zip(self.possible_agents, said))

    def observation_space(self, agent: str) -> Box:
        """What a learner sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Box:
        """What it may say."""
        return self.action_spaces[agent]

    def _each(self, values: np.ndarray) -> Dict[str, Any]:
        rows = values.reshape((len(self.possible_agents), *values.shape[2:]))
        return {name: rows[self._number[name]].copy() for name in self.agents}

    def reset(self, seed: Optional[int] = None,
              options: Optional[Dict[str, Any]] = None) -> Tuple[Dict[str, Any], Dict[str, Any]]:
        """Begins all worlds again."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.worlds.reset(_seeds(self._random, self.worlds.worlds))
        self.agents = list(self.possible_agents)
        return self._each(self.worlds.observations), {name: {} for name in self.agents}

    def step(self, actions: Dict[str, Any]) -> Tuple[Dict[str, Any], ...]:
        """What each learner that has not ended does."""
        said = np.zeros((len(self.possible_agents), len(self.worlds.action_bounds)), np.float32)
        for name, action in actions.items():
            said[self._number[name]] = action
        self.worlds.step(said.reshape((self.worlds.worlds, self.worlds.agents, -1)))
        cut = np.broadcast_to(self.worlds.cut[:, None], self.worlds.ended.shape) & ~self.worlds.ended
        told: Tuple[Dict[str, Any], ...] = (
            self._each(self.worlds.observations), self._numbers(self.worlds.rewards, float),
            self._numbers(self.worlds.ended, bool), self._numbers(cut, bool), {name: {} for name in self.agents})
        self.agents = [name for name in self.agents if not (told[2][name] or told[3][name])]
        return told

    def _numbers(self, values: np.ndarray, kind: Any) -> Dict[str, Any]:
        return {name: kind(value) for name, value in self._each(values).items()}

    def render(self) -> None:
        """Nothing: `throng view` shows scenarios."""

    def close(self) -> None:
        """Frees the worlds."""
        self.worlds.close()
