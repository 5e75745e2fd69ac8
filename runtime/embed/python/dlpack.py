"""Columns as DLPack tensors, on the host or on a CUDA device, without a copy: numpy.from_dlpack, torch.from_dlpack,
cupy.from_dlpack and jax.dlpack.from_dlpack take them. https://dmlc.github.io/dlpack/latest/c_api.html"""
from __future__ import annotations

import ctypes
from typing import Any, Dict, Optional, Tuple

__all__ = ["Tensor"]

HOST, CUDA = 1, 2  #: device types
_INT, _FLOAT = 0, 2
_READ_ONLY = 1


class _Version(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32)]


class _Array(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_DELETE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = [("array", _Array), ("context", ctypes.c_void_p), ("delete", _DELETE)]


class _Versioned(ctypes.Structure):
    _fields_ = [("version", _Version), ("context", ctypes.c_void_p), ("delete", _DELETE), ("flags", ctypes.c_uint64),
                ("array", _Array)]


_lent: Dict[int, Tuple[Any, ...]] = {}  # by address, what lives until the other library deletes it


def _forget(address: int) -> None:
    _lent.pop(address, None)


_delete = _DELETE(_forget)

_capsule_new = ctypes.pythonapi.PyCapsule_New
_capsule_new.restype, _capsule_new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_capsule_is = ctypes.pythonapi.PyCapsule_IsValid
_capsule_is.restype, _capsule_is.argtypes = ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p]
_capsule_get = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_get.restype, _capsule_get.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]


def _collect(capsule: int) -> None:  # one that nobody took has its name still
    for name in b"dltensor", b"dltensor_versioned":
        if _capsule_is(capsule, name):
            _forget(_capsule_get(capsule, name))


_drop = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(_collect)


class Tensor:
    """A column by slot, as Simulation.tensor gives it: read-only, valid until the simulation steps or is changed."""

    def __init__(self, owner: Any, data: int, count: int, whole: bool, device: int) -> None:
        self._owner, self._data, self._count, self._whole = owner, data, count, whole
        self._device = (CUDA, device) if device >= 0 else (HOST, 0)

    def __len__(self) -> int:
        return self._count

    def __dlpack_device__(self) -> Tuple[int, int]:
        """Type and number: (1, 0) the host, (2, 0) the first CUDA device."""
        return self._device

    def __dlpack__(self, *, stream: Any = None, max_version: Optional[Tuple[int, int]] = None,
                   dl_device: Optional[Tuple[int, int]] = None, copy: Optional[bool] = None) -> Any:
        """A capsule. Nothing is under way in any stream; libraries that know versions are told that it is read-only."""
        if copy or (dl_device is not None and tuple(dl_device) != self._device):
            raise BufferError("throng lends its own memory, where it is: copy it there")
        versioned = max_version is not None and max_version[0] >= 1
        held: Any = _Versioned() if versioned else _Managed()
        shape = (ctypes.c_int64 * 1)(self._count)
        held.array = _Array(self._data, self._device[0], self._device[1], 1, _INT if self._whole else _FLOAT, 32, 1,
                            shape, None, 0)
        held.delete = _delete
        if versioned:
            held.version, held.flags = _Version(1, 0), _READ_ONLY
        address = ctypes.addressof(held)
        _lent[address] = (held, shape, self._owner)
        return _capsule_new(address, b"dltensor_versioned" if versioned else b"dltensor",
                            ctypes.cast(_drop, ctypes.c_void_p))
