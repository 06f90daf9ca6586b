"""Random tables of numerics and of fake-quantizers."""

import math
import random

import torch
from records import observers, values
from records.table_errors import error
from torch.ao.quantization import fake_quantize as fq
from torch.ao.quantization import observer as o
from torch.ao.quantization.fx._decomposed import quantized_decomposed_lib  # noqa: F401

DECOMPOSED = torch.ops.quantized_decomposed


# ---- fake quantize ------------------------------------------------------------------------
def fake_quantizer(rng):
    kind = rng.choice(["FakeQuantize", "FakeQuantize", "FusedMovingAvgObsFakeQuantize"])
    per_channel = rng.random() < 0.4
    inner = o.MovingAveragePerChannelMinMaxObserver if per_channel else rng.choice(
        [o.MovingAverageMinMaxObserver] * 3
        + ([o.MinMaxObserver, o.HistogramObserver] if kind == "FakeQuantize" else []))
    dtype = rng.choice([torch.quint8, torch.qint8, torch.qint8])
    kwargs = {"observer": inner, "dtype": dtype}
    if rng.random() < 0.8:
        low, high = (0, 255) if dtype == torch.quint8 else (-128, 127)
        kwargs["quant_min"], kwargs["quant_max"] = rng.choice([(low, high), (low, high), (0, 100)])
    if per_channel:
        kwargs["qscheme"] = rng.choice([torch.per_channel_affine, torch.per_channel_symmetric])
        kwargs["ch_axis"] = 0
    elif rng.random() < 0.5:
        kwargs["qscheme"] = rng.choice([torch.per_tensor_affine, torch.per_tensor_symmetric])
    if rng.random() < 0.3:
        kwargs["reduce_range"] = True
    if rng.random() < 0.3 and inner not in (o.MinMaxObserver, o.HistogramObserver):
        kwargs["averaging_constant"] = rng.choice([0.3, 1.0])
    return getattr(fq, kind).with_args(**kwargs), per_channel


def _fake_step(made, x):
    x = x.clone().requires_grad_(True)
    y = made(x)
    y.sum().backward()
    inner = made.activation_post_process
    return {
        "x": values.tensor(x), "y": values.tensor(y), "grad": values.tensor(x.grad),
        "scale": values.tensor(made.scale), "zero_point": values.tensor(made.zero_point),
        "min": values.tensor(inner.min_val), "max": values.tensor(inner.max_val),
    }


def fake_quant_table(seed, cases=60):
    rng, generator = random.Random(seed), torch.Generator().manual_seed(seed)
    rows = []
    for index in range(cases):
        constructor, per_channel = fake_quantizer(rng)
        shape = rng.choice([(3, 5), (4, 2, 3, 3), (2, 8)]) if per_channel else rng.choice(
            [(24,), (2, 3, 4), (7,)])
        steps = []
        for _ in range(rng.choice([2, 3])):
            x = torch.randn(*shape, generator=generator) * rng.choice([0.01, 1.0, 1.0, 30.0])
            steps.append(x.abs() if rng.random() < 0.15 else x)
        row = {"name": f"random{index}", "ctor": observers.constructor(constructor)}
        toggle = rng.random() < 0.3
        if toggle:
            row["toggle"] = rng.choice(["disable_fake_quant", "disable_observer"])
            row["when"] = rng.choice(["first", "second"])
            steps = steps[:2]
        else:
            row["seq"] = "random"
        row["steps"] = []
        try:
            made = constructor()
            if not toggle:
                row["initial"] = observers.state(made)
            for number, x in enumerate(steps):
                if toggle and number == (row["when"] == "second"):
                    getattr(made, row["toggle"])()
                row["steps"].append(_fake_step(made, x))
            row["qparams"] = observers.calculated(made)
        except Exception as kind:  # noqa: BLE001 - the error is the record
            row["error"] = error(kind)
        rows.append(row)
    return {"cases": rows, "ctor": []}


# ---- numerics -----------------------------------------------------------------------------
def _inputs(generator, scale, count=60):
    """Values around ties of a scale, and values that saturate."""
    codes = torch.randint(-300, 300, (count,), generator=generator).float()
    x = (codes + torch.where(torch.rand(count, generator=generator) < 0.5, 0.5, 0.0)) * scale
    extreme = torch.tensor([0.0, -0.0, 1e30, -1e30, math.inf, -math.inf, math.nan, 1e-40])
    noise = torch.randn(count, generator=generator) * scale * 100
    return torch.cat([x, noise, extreme])


def numerics_table(seed):
    rng, generator = random.Random(seed), torch.Generator().manual_seed(seed)
    plain = {torch.quint8: torch.uint8, torch.qint8: torch.int8}
    per_tensor, per_channel, dynamic = [], [], []
    for _ in range(20):
        dtype = rng.choice([torch.quint8, torch.qint8])
        info = torch.iinfo(plain[dtype])
        scale = rng.choice([0.1, 1 / 256, 0.3, rng.uniform(0.001, 0.2), 3.7])
        zero_point = rng.randint(info.min, info.max)
        x = _inputs(generator, scale)
        q = torch.quantize_per_tensor(x, scale, zero_point, dtype)
        dq = DECOMPOSED.quantize_per_tensor(
            x, scale, zero_point, info.min, info.max, plain[dtype])
        fake = x.clone().requires_grad_(True)
        y = torch.fake_quantize_per_tensor_affine(fake, scale, zero_point, info.min, info.max)
        y.sum().backward()
        per_tensor.append({
            "scale": scale, "zero_point": zero_point, "dtype": str(dtype),
            "x": values.tensor(x), "q": values.tensor(q.int_repr()),
            "dequantize": values.tensor(q.dequantize()), "decomposed_q": values.tensor(dq),
            "decomposed_dq": values.tensor(DECOMPOSED.dequantize_per_tensor(
                dq, scale, zero_point, info.min, info.max, plain[dtype])),
            "fake_quant": values.tensor(y), "fake_quant_grad": values.tensor(fake.grad)})
    for _ in range(8):
        dtype = rng.choice([torch.quint8, torch.qint8])
        info = torch.iinfo(plain[dtype])
        scales = torch.rand(4, generator=generator) * 0.1 + 0.001
        zero_points = torch.randint(info.min, info.max, (4,), generator=generator)
        axis = rng.choice([0, 1])
        x = torch.stack([_inputs(generator, float(s), 12) for s in scales])
        x = x if axis == 0 else x.t().contiguous()
        q = torch.quantize_per_channel(x, scales, zero_points, axis, dtype)
        dq = DECOMPOSED.quantize_per_channel(
            x, scales, zero_points, axis, info.min, info.max, plain[dtype])
        fake = x.clone().requires_grad_(True)
        y = torch.fake_quantize_per_channel_affine(
            fake, scales, zero_points.int(), axis, info.min, info.max)
        y.sum().backward()
        per_channel.append({
            "scales": values.tensor(scales), "zero_points": values.tensor(zero_points),
            "axis": axis, "dtype": str(dtype), "x": values.tensor(x),
            "q": values.tensor(q.int_repr()), "dequantize": values.tensor(q.dequantize()),
            "decomposed_q": values.tensor(dq),
            "decomposed_dq": values.tensor(DECOMPOSED.dequantize_per_channel(
                dq, scales, zero_points, axis, info.min, info.max, plain[dtype])),
            "fake_quant": values.tensor(y), "fake_quant_grad": values.tensor(fake.grad)})
    for _ in range(30):
        dtype = rng.choice([torch.quint8, torch.qint8])
        x = torch.randn(rng.choice([1, 2, 9]), generator=generator) * rng.choice(
            [0.0, 1e-8, 1e-5, 0.1, 1.0, 100.0])
        x = x.abs() if rng.random() < 0.2 else x
        row = {"x": values.tensor(x), "dtype": str(dtype)}
        for flag in (0, 1):
            q = torch.quantize_per_tensor_dynamic(x, dtype, bool(flag))
            row[f"dynamic_rr{flag}"] = {
                "scale": values.number(q.q_scale()), "zero_point": q.q_zero_point(),
                "q": values.tensor(q.int_repr())}
        info = torch.iinfo(plain[dtype])
        for eps in (1.1920928955078125e-07, 0.000244140625):
            for name, run in (("choose_qparams", DECOMPOSED.choose_qparams),
                              ("choose_qparams_symmetric", DECOMPOSED.choose_qparams_symmetric)):
                row[f"{name}_eps{eps}"] = [values.tensor(item) for item in run.tensor(
                    x, info.min, info.max, eps, plain[dtype])]
        dynamic.append(row)
    return {"per_tensor": per_tensor, "per_channel": per_channel, "dynamic": dynamic,
            "errors": [], "ops": []}
