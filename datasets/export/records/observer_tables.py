"""Random tables of observers."""

import math
import random
import warnings

import torch
from records import observers, values
from records.table_errors import attempt, error
from torch.ao.quantization import observer as o


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
