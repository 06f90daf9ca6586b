"""torch modules whose floating-point sums are taken in the documented order.

torch's convolutions and linear layers add in whatever order the BLAS of the machine likes. Inside
`ordered_arithmetic()` they add as reference/ops does (its README: float32 products one by one in index
order in blocks of 256, blocks in order, bias last), and sigmoid and SiLU are taken in double and rounded
once. Everything else (observers, fake-quantizers, batch norm, pooling, conversion) stays torch's, so what
torch then records can be compared with the C++ pipeline bit by bit, however deep the network is.
"""

import contextlib

import numpy
import torch

DEPTH_BLOCK = 256


def product(weight, columns, bias):
    """weight [G, R, K] times columns(k) [G, N]: [G, R, N] in the documented order."""
    depth = weight.shape[2]
    total = None
    for begin in range(0, depth, DEPTH_BLOCK):
        block = numpy.zeros(weight.shape[:2] + columns(0).shape[1:], numpy.float32)
        term = numpy.empty_like(block)
        for k in range(begin, min(begin + DEPTH_BLOCK, depth)):
            numpy.multiply(weight[:, :, k, None], columns(k)[:, None, :], out=term)
            block += term
        total = block if total is None else total + block
    return total if bias is None else total + bias.reshape(weight.shape[:2] + (1,))


def checked(ordered, own, input, weight, bias, depth, *settings):
    """`ordered`, if torch's own result is no further away than two orders of a sum can be."""
    unit = 2.0**-24
    gamma = (depth + 1) * unit / (1 - (depth + 1) * unit)
    size = own(input.abs(), weight.abs(), None if bias is None else bias.abs(), *settings)
    distance = (ordered - own(input, weight, bias, *settings)).abs()
    assert bool((distance <= 2 * gamma * size).all()), "not the same sum"
    return ordered


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    def pair(value):
        return (value, value) if isinstance(value, int) else tuple(value)

    (sy, sx), (py, px), (dy, dx) = pair(stride), pair(padding), pair(dilation)
    x = numpy.pad(input.detach().numpy(), ((0, 0), (0, 0), (py, py), (px, px)))
    w = weight.detach().numpy()
    batch, channels, height, width = x.shape
    rows, _, ky, kx = w.shape
    out_y = (height - dy * (ky - 1) - 1) // sy + 1
    out_x = (width - dx * (kx - 1) - 1) // sx + 1
    x = x.reshape(batch, groups, channels // groups, height, width).transpose(1, 2, 0, 3, 4)

    def columns(k):
        c, rest = divmod(k, ky * kx)
        y, column = (rest // kx) * dy, (rest % kx) * dx
        view = x[:, c, :, y : y + sy * (out_y - 1) + 1 : sy, column : column + sx * (out_x - 1) + 1 : sx]
        return numpy.ascontiguousarray(view).reshape(groups, -1)

    out = product(w.reshape(groups, rows // groups, -1), columns, None if bias is None else bias.detach().numpy())
    out = out.reshape(rows, batch, out_y, out_x).transpose(1, 0, 2, 3)
    ordered = torch.from_numpy(numpy.ascontiguousarray(out))
    settings = (stride, padding, dilation, groups)
    return checked(ordered, torch.conv2d, input, weight, bias, w[0].size, *settings)


def linear(input, weight, bias=None):
    x = numpy.ascontiguousarray(input.detach().numpy().reshape(-1, input.shape[-1]).T)
    out = product(
        weight.detach().numpy()[None],
        lambda k: x[None, k],
        None if bias is None else bias.detach().numpy(),
    )
    out = numpy.ascontiguousarray(out[0].T).reshape(*input.shape[:-1], weight.shape[0])
    return checked(torch.from_numpy(out), torch._C._nn.linear, input, weight, bias, x.shape[0])


def sigmoid(input):
    return (1.0 / (1.0 + torch.exp(-input.double()))).float()


def sqrt(input):
    """Correctly rounded: that of MKL's vector library is one bit off in a quarter of the cases."""
    return torch.from_numpy(numpy.sqrt(input.detach().numpy()))


def silu(input, inplace=False):
    x = input.double()
    result = (x / (1.0 + torch.exp(-x))).float()
    return input.copy_(result) if inplace else result


@contextlib.contextmanager
def ordered_arithmetic():
    functional = torch.nn.functional
    replaced = [
        (functional, "conv2d", conv2d),
        (functional, "linear", linear),
        (functional, "silu", silu),
        (torch, "sigmoid", sigmoid),
        (torch, "sqrt", sqrt),
    ]
    kept = [(owner, name, getattr(owner, name)) for owner, name, _ in replaced]
    try:
        for owner, name, function in replaced:
            setattr(owner, name, function)
        yield
    finally:
        for owner, name, function in kept:
            setattr(owner, name, function)
