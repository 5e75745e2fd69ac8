"""Worlds of a scenario that says who learns (world:environment), stepped together: throng_env of runtime/throng.h.
throng.gym has them as Gymnasium and PettingZoo know environments."""
from __future__ import annotations

import ctypes
import math
import os
from typing import Any, List, Optional, Tuple, Union

import numpy as np

from .library import Error, Held, Message, Shape, check, library, settings_of, text_of, whole

__all__ = ["Environment"]


def _whole(what: str, values: Any, most: int) -> np.ndarray:
    """Whole numbers from 0 to `most`, and nothing that would have to be made one."""
    array = np.asarray(values)
    if array.size and array.dtype.kind not in "iu":
        cure = ": np.flatnonzero gives those of a mask" if array.dtype.kind == "b" else ""
        raise Error(f"{what} are whole numbers, got {array.dtype}{cure}")
    if array.size and not (array.min() >= 0 and array.max() <= most):
        raise Error(f"{what} are from 0 to {most}, got {array.min()} to {array.max()}")
    return np.ascontiguousarray(array, np.int64)


class Environment:
    """So many worlds of a scenario. Arrays are the environment's own memory, which the next call fills again and which
    stays as long as somebody has one of them."""

    def __init__(self, path: Union[str, "os.PathLike[str]"], worlds: int = 1, **settings: Any) -> None:
        """Settings are those of throng.load; `threads` is how many worlds are stepped at once, 0: one a processor."""
        self._env: Optional[Held] = None
        self._message = Message()
        given = settings_of(**settings)
        env = library.throng_env_load(text_of(os.fspath(path)), whole("worlds", worlds, 1, 31), given, self._message)
        check(env, self._message)
        self._env = Held(env, library.throng_env_destroy, given)
        shape = Shape()
        library.throng_env_shape_of(self._own, shape)
        self.worlds: int = shape.worlds
        self.agents: int = shape.agents
        self._seen, self._actions = shape.observations, (shape.worlds, shape.agents, shape.actions)
        #: Names of what a learner sees and says, and their bounds, [n, 2].
        self.observation_names, self.observation_bounds = self._named("observation", shape.observations)
        self.action_names, self.action_bounds = self._named("action", shape.actions)

    @property
    def _own(self) -> Held:
        if not self._env:
            raise Error("the environment was closed")
        return self._env

    def _view(self, name: str, kind: Any, *shape: int) -> np.ndarray:
        data = getattr(library, f"throng_env_{name}")(self._own)
        return np.ctypeslib.as_array(self._own.lent(data, kind, math.prod(shape))).reshape(shape)

    @property
    def observations(self) -> np.ndarray:
        """[worlds, agents, n] float32: what learners see; zeros of those who were removed."""
        return self._view("observations", ctypes.c_float, self.worlds, self.agents, self._seen)

    @property
    def rewards(self) -> np.ndarray:
        """[worlds, agents] float32: what the last action was worth."""
        return self._view("rewards", ctypes.c_float, self.worlds, self.agents)

    @property
    def ended(self) -> np.ndarray:
        """[worlds, agents] bool: who acts no more."""
        return self._view("ended", ctypes.c_uint8, self.worlds, self.agents).view(np.bool_)

    @property
    def cut(self) -> np.ndarray:
        """[worlds] bool: whose time was up before that."""
        return self._view("cut", ctypes.c_uint8, self.worlds).view(np.bool_)

    def _named(self, what: str, count: int) -> Tuple[List[str], np.ndarray]:
        bounds = np.empty((count, 2), np.float32)
        ask = getattr(library, f"throng_env_{what}")
        return [ask(self._own, i, bounds[i].ctypes.data).decode() for i in range(count)], bounds

    def reset(self, seeds: Any, worlds: Optional[Any] = None) -> None:
        """These worlds, their numbers from 0 (none: all), begin again, each with its seed, 0 or more."""
        which = _whole("worlds", np.arange(self.worlds) if worlds is None else worlds, self.worlds - 1).astype(np.int32)
        numbers = _whole("seeds", seeds, 2**63 - 1)
        if numbers.shape != which.shape:
            raise Error(f"there are {which.size} worlds to reset and {numbers.size} seeds: give one for each")
        check(library.throng_env_reset(self._own, which.ctypes.data, numbers.ctypes.data, which.size, self._message),
              self._message)

    def step(self, actions: Any) -> None:
        """One action of every learner, [worlds, agents, n], in every world that is not over."""
        said = np.ascontiguousarray(actions, np.float32)
        if said.shape != self._actions:
            raise Error(f"actions are an array {list(self._actions)}, got one of {list(said.shape)}")
        check(library.throng_env_step(self._own, said.ctypes.data, self._message), self._message)

    @property
    def over(self) -> np.ndarray:
        """[worlds] bool: who waits for a reset."""
        return np.asarray(self.cut | self.ended.all(axis=1))

    def close(self) -> None:
        """Frees it, or, where somebody has its arrays, when nobody has them any more."""
        self._env = None

    def __enter__(self) -> Environment:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
