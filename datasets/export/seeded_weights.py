"""Weights from a named seed: the Python half of datasets/seeded_weights.h, which defines them.

Every value is a function of the fill's name, the tensor's path and the element's index, in integers
and IEEE operations only, so that C++ and Python have the same float32 bits on every machine.
"""

import numpy
import torch

KINDS = ("kaiming",)
MASK = (1 << 64) - 1


def stream_key(fill, tensor):
    """FNV-1a of "fill/tensor"."""
    key = 0xCBF29CE484222325
    for byte in f"{fill}/{tensor}".encode():
        key = ((key ^ byte) * 0x100000001B3) & MASK
    return key


def uniform(fill, tensor, count):
    """`count` numbers in [0, 1) with 24 bits, as float64: SplitMix64 read as a counter."""
    golden = 0x9E3779B97F4A7C15
    with numpy.errstate(over="ignore"):
        z = numpy.arange(1, count + 1, dtype=numpy.uint64) * numpy.uint64(golden)
        z += numpy.uint64(stream_key(fill, tensor))
        z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        z ^= z >> numpy.uint64(31)
    return (z >> numpy.uint64(40)).astype(numpy.float64) * 2.0**-24


def tensor_values(fill, path, shape):
    """float32 values of the parameter or buffer at `path`."""
    u = uniform(fill, path, int(numpy.prod(shape, dtype=numpy.int64)))
    name = path.rsplit(".", 1)[-1]
    if name == "running_var":
        values = 0.5 + u
    elif name == "weight" and len(shape) >= 2:
        fan_in = int(numpy.prod(shape[1:], dtype=numpy.int64))
        values = (2 * u - 1) * numpy.sqrt(6.0 / fan_in)
    elif name == "weight":
        values = 0.75 + 0.5 * u
    else:
        values = (2 * u - 1) * 0.125
    return values.astype(numpy.float32).reshape(shape)


def fill_module(module, fill):
    """Fills every floating parameter and buffer in place; integers become zero."""
    with torch.no_grad():
        for path, tensor in list(module.named_parameters()) + list(module.named_buffers()):
            if tensor.is_floating_point():
                values = tensor_values(fill, path, tuple(tensor.shape))
                tensor.copy_(torch.from_numpy(values))
            else:
                tensor.zero_()


def input_batch(fill, index, shape):
    """Calibration batch `index`: uniform in [-2, 2)."""
    u = uniform(fill, f"input.{index}", int(numpy.prod(shape, dtype=numpy.int64)))
    return torch.from_numpy((4 * u - 2).astype(numpy.float32).reshape(shape))
