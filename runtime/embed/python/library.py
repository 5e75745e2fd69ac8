"""The library and its functions, as runtime/throng.h declares them; for the other modules of this package alone."""
from __future__ import annotations

import ctypes
import math
import operator
import os
from typing import Any, Callable, Mapping, Optional


class Error(RuntimeError):
    """What throng says is wrong, with the way out."""


PRINT = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_char), ctypes.c_size_t)


class Message(ctypes.Structure):
    """throng_message."""

    _fields_ = [("text", ctypes.c_char * 1024)]


class Settings(ctypes.Structure):
    """throng_sim_settings, by default those of throng_sim_settings_default."""

    _fields_ = [
        ("size", ctypes.c_size_t), ("backend", ctypes.c_char_p), ("simd", ctypes.c_int32),
        ("threads", ctypes.c_int32), ("seed", ctypes.c_int64), ("params", ctypes.POINTER(ctypes.c_char_p)),
        ("param_count", ctypes.c_int32), ("instructions", ctypes.c_int64), ("memory", ctypes.c_size_t),
        ("print", PRINT), ("context", ctypes.c_void_p), ("keep_inputs", ctypes.c_bool),
    ]

    def __init__(self) -> None:
        super().__init__(size=ctypes.sizeof(Settings), seed=-1)


class Info(ctypes.Structure):
    """throng_sim_column_info."""

    _fields_ = [
        ("size", ctypes.c_size_t), ("name", ctypes.c_char_p), ("unit", ctypes.c_char_p), ("text", ctypes.c_char_p), ("whole", ctypes.c_bool),
        ("writable", ctypes.c_bool), ("least", ctypes.c_double), ("most", ctypes.c_double),
    ]

    def __init__(self) -> None:
        super().__init__(size=ctypes.sizeof(Info))


class Agent(ctypes.Structure):
    """throng_agent."""

    _fields_ = [("slot", ctypes.c_int32), ("generation", ctypes.c_uint32)]


class Place(ctypes.Structure):
    """throng_place."""

    _fields_ = [("x", ctypes.c_double), ("y", ctypes.c_double), ("floor", ctypes.c_int32)]


class Happening(ctypes.Structure):
    """throng_event."""

    _fields_ = [("agent", Agent), ("listener", ctypes.c_int32), ("first", ctypes.c_char_p), ("second", ctypes.c_char_p)]


class Shape(ctypes.Structure):
    """throng_env_shape."""

    _fields_ = [("size", ctypes.c_size_t), ("worlds", ctypes.c_int32), ("agents", ctypes.c_int32),
                ("observations", ctypes.c_int32), ("actions", ctypes.c_int32)]

    def __init__(self) -> None:
        super().__init__(size=ctypes.sizeof(Shape))


def _declare() -> ctypes.CDLL:
    loaded = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "libthrong.so.0"))
    sim, text, whole, pointer = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32, ctypes.c_void_p
    double, out = ctypes.c_double, ctypes.POINTER
    message, settings = out(Message), out(Settings)
    for name, result, arguments in [
        ("throng_version", text, []),
        ("throng_sim_load", sim, [text, settings, message]),
        ("throng_sim_load_text", sim, [text, text, ctypes.c_size_t, settings, message]),
        ("throng_sim_destroy", None, [sim]),
        ("throng_sim_step", ctypes.c_bool, [sim, message]),
        ("throng_sim_ended", ctypes.c_bool, [sim, out(ctypes.c_bool), message]),
        ("throng_sim_time", double, [sim]),
        ("throng_sim_dt", double, [sim]),
        ("throng_sim_steps", ctypes.c_uint32, [sim]),
        ("throng_sim_seed", ctypes.c_int64, [sim]),
        ("throng_sim_backend", text, [sim]),
        ("throng_sim_hash", ctypes.c_bool, [sim, out(ctypes.c_uint64), message]),
        ("throng_sim_count", whole, [sim]),
        ("throng_sim_slots", whole, [sim]),
        ("throng_sim_agent_at", ctypes.c_bool, [sim, whole, out(Agent)]),
        ("throng_sim_is_alive", ctypes.c_bool, [sim, Agent]),
        ("throng_sim_agents", whole, [sim, pointer]),
        ("throng_sim_arrivals", ctypes.c_bool, [sim, out(out(Agent)), out(whole), message]),
        ("throng_sim_listen", ctypes.c_bool, [sim, text, text, out(whole), message]),
        ("throng_sim_events", None, [sim, out(out(Happening)), out(whole)]),
        ("throng_sim_column_count", whole, [sim]),
        ("throng_sim_column", ctypes.c_bool, [sim, whole, out(Info)]),
        ("throng_sim_column_named", whole, [sim, text]),
        ("throng_sim_read", pointer, [sim, whole, message]),
        ("throng_sim_share", pointer, [sim, whole, out(whole), message]),
        ("throng_sim_write", ctypes.c_bool, [sim, whole, pointer, pointer, whole, message]),
        ("throng_sim_edit", pointer, [sim, whole, message]),
        ("throng_sim_commit", ctypes.c_bool, [sim, whole, message]),
        ("throng_sim_group_name", text, [sim, whole]),
        ("throng_sim_heights", ctypes.c_bool, [sim, pointer, whole, pointer, message]),
        ("throng_sim_steer", ctypes.c_bool, [sim, pointer, pointer, whole, message]),
        ("throng_sim_place", ctypes.c_bool, [sim, pointer, pointer, whole, message]),
        ("throng_sim_release", ctypes.c_bool, [sim, pointer, whole, message]),
        ("throng_sim_play", ctypes.c_bool, [sim, double, double, message]),
        ("throng_sim_do", ctypes.c_bool, [sim, text, message]),
        ("throng_sim_do_with", ctypes.c_bool, [sim, pointer, whole, text, message]),
        ("throng_sim_number", ctypes.c_bool, [sim, text, out(double), message]),
        ("throng_sim_text", text, [sim, text, message]),
        ("throng_sim_spawn", ctypes.c_bool, [sim, text, pointer, whole, pointer, message]),
        ("throng_sim_snapshot", ctypes.c_bool, [sim, out(pointer), out(ctypes.c_size_t), message]),
        ("throng_sim_snapshot_free", None, [pointer]),
        ("throng_sim_restore", sim, [text, ctypes.c_size_t, settings, message]),
        ("throng_sim_inputs", ctypes.c_bool, [sim, out(pointer), out(ctypes.c_size_t), message]),
        ("throng_sim_apply", ctypes.c_bool, [sim, text, ctypes.c_size_t, message]),
        ("throng_env_load", sim, [text, whole, settings, message]),
        ("throng_env_destroy", None, [sim]),
        ("throng_env_shape_of", None, [sim, out(Shape)]),
        ("throng_env_observation", text, [sim, whole, pointer]),
        ("throng_env_action", text, [sim, whole, pointer]),
        ("throng_env_reset", ctypes.c_bool, [sim, pointer, pointer, whole, message]),
        ("throng_env_step", ctypes.c_bool, [sim, pointer, message]),
        ("throng_env_observations", pointer, [sim]),
        ("throng_env_rewards", pointer, [sim]),
        ("throng_env_ended", pointer, [sim]),
        ("throng_env_cut", pointer, [sim]),
        ("throng_sim_path", ctypes.c_bool,
         [sim, Place, Place, double, pointer, whole, out(whole), out(double), message]),
        ("throng_sim_count_in", ctypes.c_bool, [sim, text, out(whole), message]),
        ("throng_sim_floor_count", whole, [sim]),
        ("throng_sim_floor_name", text, [sim, whole]),
        ("throng_sim_height", double, [sim, Place]),
    ]:
        function = getattr(loaded, name)
        function.restype, function.argtypes = result, arguments
    return loaded


library = _declare()


class Held:
    """What the library made: it ends when nobody holds it any more, and nobody an array of its memory."""

    def __init__(self, address: int, destroy: Callable[[int], None], settings: Settings) -> None:
        self._as_parameter_ = address
        self._destroy, self._settings = destroy, settings  # which keep what they point to

    def __del__(self) -> None:
        self._destroy(self._as_parameter_)

    def lent(self, data: int, kind: Any, count: int) -> Any:
        """An array of its memory, which holds it."""
        array = (kind * count).from_address(data)
        array.holds = self
        return array


def text_of(text: str) -> bytes:
    """For the library, to which a zero byte is the end."""
    if "\0" in text:
        raise Error(f"a text has a zero byte after {text.partition(chr(0))[0][-40:]!r}: leave it out")
    return text.encode()


def whole(name: str, value: Any, least: int, bits: int) -> int:
    """A whole number of so many bits, of which nothing would be lost."""
    number = operator.index(value)
    if not least <= number < 2**bits:
        raise Error(f"{name} must be a whole number from {least} to {2**bits - 1}, got {number}")
    return number


def _param(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) and math.isfinite(value) else str(value)


def settings_of(*, seed: Optional[int] = None, backend: Optional[str] = None, simd: int = 0, threads: int = 0,
                params: Optional[Mapping[str, Any]] = None, instructions: int = 0, memory: int = 0,
                print: Optional[Callable[[str], Any]] = None, keep_inputs: bool = False) -> Settings:
    """Settings with these values; they keep what they point to."""
    settings = Settings()
    listed = [text_of(f"{key}={_param(value)}") for key, value in (params or {}).items()]
    settings.params, settings.param_count = (ctypes.c_char_p * len(listed))(*listed), len(listed)
    settings.seed = -1 if seed is None else whole("seed", seed, 0, 63)
    settings.backend = text_of(backend) if backend else None
    settings.simd, settings.threads = whole("simd", simd, 0, 31), whole("threads", threads, 0, 31)
    settings.instructions, settings.memory = whole("instructions", instructions, 0, 63), whole("memory", memory, 0, 63)
    settings.keep_inputs = keep_inputs
    if print:
        taker = print
        settings.print = PRINT(lambda _, part, size: taker(ctypes.string_at(part, size).decode(errors="replace")))
    return settings


def check(fine: Any, message: Message) -> None:
    """Raises what the message says unless all is fine."""
    if not fine:
        raise Error(message.text.decode(errors="replace"))
