"""Random tables of observers, fake-quantizers, numerics and the matcher."""

import copy
import math
import operator
import random
import warnings

import torch
import torch.nn.functional as F
from records import configs, names, observers, values
from torch import nn
from torch.ao.quantization import fake_quantize as fq
from torch.ao.quantization import observer as o
from torch.ao.quantization.fx import match_utils
from torch.ao.quantization.fx._decomposed import quantized_decomposed_lib  # noqa: F401
from torch.ao.quantization.utils import MatchAllNode

DECOMPOSED = torch.ops.quantized_decomposed


def error(kind):
    return {"type": type(kind).__name__, "message": str(kind).split("\n")[0]}


def attempt(run):
    """run() as JSON, or its error."""
    try:
        return run()
    except Exception as kind:  # noqa: BLE001 - the error is the record
        return error(kind)


# ---- observers ----------------------------------------------------------------------------
def sequences(rng, generator):
    """Named lists of tensors: pt:* of any shape, pc:* with channels on axis 0."""
    draw = lambda *shape: torch.randn(*shape, generator=generator)
    scale = lambda: rng.choice([1e-30, 1e-6, 0.01, 0.3, 1.0, 7.5, 1e3, 1e20])
    named = {}
    for index in range(14):
        size, spread, shift = rng.choice([1, 2, 5, 31, 100, 257]), scale(), rng.choice([0, 0, 3])
        kind = rng.choice(["normal", "positive", "negative", "constant", "grow", "shrink",
                           "sparse", "integers", "inf", "nan", "image"])
        steps = []
        for step in range(rng.choice([1, 2, 3, 5])):
            x = draw(size) * spread + shift * spread
            if kind == "positive":
                x = x.abs()
            elif kind == "negative":
                x = -x.abs() - 0.5 * spread
            elif kind == "constant":
                x = torch.full((size,), rng.choice([0.0, 2.5, -1.0]) * spread)
            elif kind == "grow":
                x = x * (1 + step)
            elif kind == "shrink":
                x = x / (1 + step)
            elif kind == "sparse":
                x = x * (draw(size) > 1)
            elif kind == "integers":
                x = torch.round(draw(size) * 4)
            elif kind == "inf" and step == 1:
                x[0] = rng.choice([math.inf, -math.inf])
            elif kind == "nan" and step == 0:
                x[-1] = math.nan
            elif kind == "image":
                x = draw(2, 3, 4, 4) * spread
            steps.append(x)
        named[f"pt:{kind}{index}"] = steps
    for index in range(8):
        shape = rng.choice([(4, 6), (3, 2, 3, 3), (5, 4), (1, 7), (6,), (2, 3, 4)])
        kind = rng.choice(["weights", "positive", "zerorow", "wide"])
        steps = []
        for _ in range(rng.choice([1, 1, 2, 3])):
            x = draw(*shape) * scale()
            if kind == "positive":
                x = x.abs()
            elif kind == "zerorow":
                x[0] = 0
            elif kind == "wide":
                x = x * torch.tensor([10.0**rng.randint(-5, 5) for _ in range(shape[0])]).reshape(
                    -1, *[1] * (len(shape) - 1))
            steps.append(x)
        named[f"pc:{kind}{index}"] = steps
    named["pt:uninit"] = []
    return named


def observer_kwargs(rng, kind, per_channel):
    dtype = rng.choice([torch.quint8, torch.quint8, torch.qint8, torch.qint8, torch.qint32,
                        torch.uint8, torch.int8, torch.int16, torch.int32, torch.uint16])
    kwargs = {}
    if rng.random() < 0.85:
        kwargs["dtype"] = dtype
    else:
        dtype = torch.quint8
    schemes = ([torch.per_channel_affine, torch.per_channel_symmetric,
                torch.per_channel_affine_float_qparams] if per_channel
               else [torch.per_tensor_affine, torch.per_tensor_symmetric])
    if rng.random() < 0.6:
        kwargs["qscheme"] = rng.choice(schemes)
    if rng.random() < 0.2:
        kwargs["reduce_range"] = True
    if rng.random() < 0.25:
        kwargs["quant_min"], kwargs["quant_max"] = rng.choice(
            [(0, 127), (-8, 7), (0, 15), (-127, 127), (0, 200), (-64, 63), (-100, 0)])
    elif rng.random() < 0.05:
        kwargs[rng.choice(["quant_min", "quant_max"])] = rng.choice([0, 10, -4, 100])
    if rng.random() < 0.2:
        kwargs["eps"] = rng.choice([2.0**-12, 1e-3, 0.5])
    if "MovingAverage" in kind and rng.random() < 0.5:
        kwargs["averaging_constant"] = rng.choice([0.1, 0.5, 1.0, 0.9])
    if per_channel and rng.random() < 0.4:
        kwargs["ch_axis"] = rng.choice([0, 1, -1])
    if kind == "HistogramObserver" and rng.random() < 0.6:
        kwargs["bins"] = rng.choice([16, 64, 100, 256])
    return kwargs


def observers_table(seed, cases=150):
    rng, generator = random.Random(seed), torch.Generator().manual_seed(seed)
    named = sequences(rng, generator)
    kinds = ["MinMaxObserver", "MovingAverageMinMaxObserver", "HistogramObserver",
             "PerChannelMinMaxObserver", "MovingAveragePerChannelMinMaxObserver"]
    rows = []
    for _ in range(cases):
        kind = rng.choice(kinds)
        per_channel = "PerChannel" in kind
        kwargs = observer_kwargs(rng, kind, per_channel)
        name = rng.choice([n for n in named if n.startswith("pc:" if per_channel else "pt:")])
        rows.append(observer_case(kind, kwargs, name, named[name]))
    constructors = []
    for _ in range(60):
        kind = rng.choice(kinds)
        kwargs = observer_kwargs(rng, kind, "PerChannel" in kind)
        if rng.random() < 0.6:
            kwargs["quant_min"] = rng.choice([-300, -128, 0, 1, 5, 255])
            kwargs["quant_max"] = rng.choice([-1, 0, 5, 127, 255, 256, 300])
        constructors.append(constructor_case(kind, kwargs))
    table = []
    for _ in range(200):
        kwargs = observer_kwargs(rng, "MinMaxObserver", False)
        low, high = sorted(rng.choice([0.0, 1.0, -1.0, 1e-9, -1e-9, 3.5, 1e30, rng.gauss(0, 1),
                                       rng.gauss(0, 50)]) for _ in range(2))
        if rng.random() < 0.08:
            low, high = high, low
        table.append(qparams_row(kwargs, low, high))
    return {
        "cases": rows, "ctor": constructors,
        "sequences": {n: [values.tensor(x) for x in s] for n, s in named.items()},
        "calculate_qparams_table": table, "misc": observer_facts(),
    }


def _json_kwargs(kwargs):
    return {key: observers._setting(item) for key, item in kwargs.items()}


def observer_case(kind, kwargs, name, steps):
    row = {"lib": "fx", "cls": kind, "kwargs": _json_kwargs(kwargs), "seq": name, "steps": []}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            made = getattr(o, kind)(**kwargs)
            for x in steps:
                made(x.clone())
                row["steps"].append(
                    {"min": values.tensor(made.min_val), "max": values.tensor(made.max_val)})
            state = observers.state(made, histogram=True)
            scale, zero_point = made.calculate_qparams()
            row["state"] = state
            row["qparams"] = {"scale": values.tensor(scale),
                              "zero_point": values.tensor(zero_point)}
        except Exception as kind_:  # noqa: BLE001 - the error is the record
            row["error"] = error(kind_)
    del caught
    return row


def constructor_case(kind, kwargs):
    def run():
        made = getattr(o, kind)(**kwargs)
        return {"quant_min": made.quant_min, "quant_max": made.quant_max,
                "customized": made.has_customized_qrange, "eps": float(made.eps)}

    result = attempt(run)
    if "type" in result:
        result = {"error": result["type"], "message": result["message"]}
    return [kind, _json_kwargs(kwargs), result]


def qparams_row(kwargs, low, high):
    head = [_json_kwargs(kwargs), values.number(low), values.number(high)]
    try:
        made = o.MinMaxObserver(**kwargs)
        scale, zero_point = made._calculate_qparams(torch.tensor(low), torch.tensor(high))
    except Exception as kind:  # noqa: BLE001 - the error is the record
        return [*head, {"error": type(kind).__name__, "message": str(kind)}]
    return [*head, values.number(float(scale)), int(zero_point), str(zero_point.dtype)]


def observer_facts():
    """Facts about the observers that keep no range."""
    x = torch.tensor([-1.0, 0.5, 2.0])

    def refusal(made):
        return {"error": attempt(lambda: made.calculate_qparams())}

    placeholder, noop = o.PlaceholderObserver(), o.NoopObserver()
    reuse, recording = o.ReuseInputObserver(), o.RecordingObserver()
    recording(x)
    recording(x)
    fixed = o.FixedQParamsObserver(scale=0.5, zero_point=3)
    min_max = o.MinMaxObserver()
    same = min_max(x) is x
    min_max.reset_min_max_vals()
    half = o.MinMaxObserver()
    half(x.half())
    whole = o.MinMaxObserver()
    whole(torch.tensor([1, 2]))
    return {
        "placeholder_forward_identity": values.tensor(placeholder(x)),
        "placeholder_calculate_qparams": refusal(placeholder),
        "placeholder_defaults": observers.state(placeholder),
        "placeholder_compute_dtype": o.PlaceholderObserver(
            compute_dtype=torch.quint8).is_dynamic,
        "placeholder_int8_defaults": observers.state(
            o.PlaceholderObserver(dtype=torch.int8, is_dynamic=True)),
        "noop_forward": values.tensor(noop(x)),
        "noop_defaults": observers.state(noop),
        "noop_calculate_qparams": refusal(noop),
        "reuse_calculate_qparams": refusal(reuse),
        "reuse_defaults": observers.state(reuse),
        "recording_get_tensor_value": len(recording.get_tensor_value()),
        "recording_calculate_qparams": refusal(recording),
        "fixed_qparams": [values.tensor(item) for item in fixed.calculate_qparams()],
        "fixed_defaults": observers.state(fixed),
        "minmax_reset": [values.number(float(min_max.min_val)),
                         values.number(float(min_max.max_val))],
        "minmax_preserves_input_object": same,
        "minmax_fp16_input": [str(half.min_val.dtype), float(half.min_val)],
        "minmax_int_input": float(whole.max_val),
    }


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


# ---- the matcher --------------------------------------------------------------------------
ATOMS = [nn.ReLU, nn.Conv2d, nn.BatchNorm2d, nn.Linear, F.relu, torch.relu, operator.add,
         torch.add, operator.mul, torch.cat, "relu", "view", "sigmoid", "permute", MatchAllNode,
         MatchAllNode]


def random_pattern(rng, depth=0):
    if depth > 2 or rng.random() < (0.25 if depth == 0 else 0.55):
        if depth and rng.random() < 0.1:
            return rng.choice([1, 2.0, -1, 3])
        return rng.choice(ATOMS)
    head = rng.choice(ATOMS)
    return (head, *[random_pattern(rng, depth + 1) for _ in range(rng.choice([1, 1, 2, 3]))])


def _pattern_json(value):
    if isinstance(value, tuple):
        return [_pattern_json(part) for part in value]
    if isinstance(value, (int, float)):
        return {"lit": value}
    return names.atom_name(value)


def _observed_pattern(rng, node, modules, depth=0):
    """A pattern read off a node, so that it has a chance to match."""
    from torch.fx import Node

    if not isinstance(node, Node):
        return node if isinstance(node, (int, float)) and rng.random() < 0.7 else MatchAllNode
    if node.op == "call_module":
        head = type(modules[node.target])
    elif node.op in ("call_function", "call_method"):
        head = node.target
    else:
        return MatchAllNode
    if rng.random() < 0.1:
        head = MatchAllNode
    if depth > 2 or rng.random() < 0.3 or not node.args or head is getattr:
        return (head, node.args[1]) if head is getattr else head
    return (head, *[_observed_pattern(rng, part, modules, depth + 1) for part in node.args])


def match_table(seed, graphs=12):
    from records import random_models

    rng = random.Random(seed)
    from torch.ao.quantization.fx.tracer import QuantizationTracer

    stored, traced = {}, {}
    for index in range(graphs):
        model, _ = random_models.random_model(seed * 1000 + index, steps=(3, 8))
        module = torch.fx.GraphModule(model, QuantizationTracer([], []).trace(model))
        name = f"g{index}"
        traced[name] = module
        modules = dict(module.named_modules())
        stored[name] = {
            "graph": values.graph(module.graph),
            "module_types": {
                n.target: names.type_name(type(modules[n.target]))
                for n in module.graph.nodes if n.op == "call_module"},
            "actual_types": {},
        }
    patterns = [random_pattern(rng) for _ in range(20)]
    for _ in range(50):
        module = rng.choice(list(traced.values()))
        node = rng.choice(list(module.graph.nodes))
        patterns.append(_observed_pattern(rng, node, dict(module.named_modules())))
    table = []
    for name, module in traced.items():
        modules = dict(module.named_modules())
        for node in module.graph.nodes:
            for index, pattern in enumerate(patterns):
                results = []
                for uses in (1 << 30, 1):
                    try:
                        results.append(match_utils._is_match(modules, node, pattern, uses))
                    except Exception as kind:  # noqa: BLE001 - the error is the record
                        results.append(type(kind).__name__)
                if results != [False, False]:
                    table.append([name, node.name, index, *results])
    distinct = []
    for pattern in patterns:
        if pattern not in distinct and isinstance(pattern, (tuple, type, str)):
            distinct.append(pattern)
    ordered = configs._sorted_patterns_dict({p: None for p in distinct})
    return {
        "graphs": stored, "patterns": [_pattern_json(p) for p in patterns], "table": table,
        "sorted_patterns": {"in": [_pattern_json(p) for p in distinct],
                            "out": [_pattern_json(p) for p in ordered]},
        "valid_patterns": [], "fuser_method_lookup": [],
    }
