"""Columns on a CUDA device by DLPack, to be run on a machine that has one, with the wheel that was built there:

    make wheel && pip install build/wheel/throng-*.whl && python3 tests/embed/dlpack_device.py

What Tensor lends is copied back with the driver's own function and compared with the column on the host. PyTorch and CuPy
are asked as well where they are installed."""
import ctypes
import sys

import numpy as np

import throng
from throng import dlpack

SCENARIO = """
local throng = require "throng"
local world = throng.world { backend = "cuda", seconds = 60 }
world:spawn { count = 5000, where = throng.box(0, 0, 80, 80), name = "people" }:go_to { 200, 40 }
return world
"""


def copied(tensor):
    """The device's values, by cuMemcpyDtoH."""
    driver = ctypes.CDLL("libcuda.so.1")
    context, values = ctypes.c_void_p(), np.empty(len(tensor), np.float32)
    capsule = tensor.__dlpack__()
    array = next(held for held, *_ in dlpack._lent.values()).array
    kind, number = tensor.__dlpack_device__()
    assert (kind, array.device_type, array.device_id) == (dlpack.CUDA, dlpack.CUDA, number)
    assert driver.cuInit(0) == 0 and driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), number) == 0
    assert driver.cuCtxSetCurrent(context) == 0
    failed = driver.cuMemcpyDtoH_v2(ctypes.c_void_p(values.ctypes.data), ctypes.c_uint64(array.data),
                                    ctypes.c_size_t(values.nbytes))
    assert failed == 0, f"cuMemcpyDtoH gave {failed}"
    del capsule
    assert not dlpack._lent
    return values


sim = throng.load_text(SCENARIO)
assert sim.backend == "cuda"
takers = {}
for name in "torch", "cupy":
    try:
        takers[name] = __import__(name)
    except ImportError:
        print(f"{name} is not installed: not asked")
for round_ in range(3):
    for _ in range(20):
        sim.step()
    if round_ == 2:
        sim.write("speed", np.linspace(0.5, 1.5, len(sim)))  # the host has newer values than the device
    for column in "x", "vy", "speed":
        on_device = copied(sim.tensor(column))  # before the host fetches it
        assert np.array_equal(on_device, sim[column]), column
        for name, module in takers.items():
            shared = module.from_dlpack(sim.tensor(column))
            values = shared.cpu().numpy() if name == "torch" else module.asnumpy(shared)
            assert np.array_equal(values, sim[column]), (name, column)
            del shared
assert sim.tensor("heat_dose").__dlpack_device__() == (1, 0)  # nobody uses it: on the host
before = sim.hash
with throng.load_text(SCENARIO.replace('"cuda"', '"cpu"')) as other:  # lending changes nothing
    for round_ in range(3):
        for _ in range(20):
            other.step()
        if round_ == 2:
            other.write("speed", np.linspace(0.5, 1.5, len(other)))
    assert other.hash == before, (other.hash, before)
print("columns on the device are those of the host", ", ".join(takers), file=sys.stdout)
