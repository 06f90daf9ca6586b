"""Random qconfig mappings, backend configs and custom settings for a model."""

import copy
import random

import torch
from torch import nn
from records import observers, pipeline
from torch.ao import quantization as q
from torch.ao.quantization import observer as o
from torch.ao.quantization import QConfig, QConfigMapping
from torch.ao.quantization.backend_config import (
    BackendConfig,
    BackendPatternConfig,
    DTypeConfig,
    DTypeWithConstraints,
    ObservationType,
)
import torch.ao.quantization.qconfig as named
from torch.ao.quantization import qconfig_mapping as mappings
from torch.ao.quantization import fake_quantize as fq

BUILT_IN = "native fbgemm x86 qnnpack onednn tensorrt executorch native_and_fp16".split()
NAMED = """default_qconfig default_per_channel_qconfig default_dynamic_qconfig
float16_dynamic_qconfig float16_static_qconfig per_channel_dynamic_qconfig
float_qparams_weight_only_qconfig float_qparams_weight_only_qconfig_4bit
default_weight_only_qconfig default_activation_only_qconfig default_reuse_input_qconfig
default_debug_qconfig""".split()
NAMED_QAT = """default_qat_qconfig default_qat_qconfig_v2 default_dynamic_qat_qconfig
default_weight_only_qconfig default_embedding_qat_qconfig
default_symmetric_qnnpack_qat_qconfig default_per_channel_symmetric_qnnpack_qat_qconfig
default_activation_only_qconfig""".split()


def observer(rng, weight):
    """A random observer constructor."""
    dtype = rng.choice([torch.qint8] * 5 + [torch.quint8] if weight
                       else [torch.quint8] * 6 + [torch.qint8] * 2)
    kwargs = {"dtype": dtype}
    if weight:
        kind = rng.choice([o.MinMaxObserver, o.PerChannelMinMaxObserver,
                           o.PerChannelMinMaxObserver, o.MovingAverageMinMaxObserver,
                           o.MovingAveragePerChannelMinMaxObserver, o.HistogramObserver])
        symmetric = rng.random() < 0.75
    else:
        kind = rng.choice([o.MinMaxObserver, o.MinMaxObserver, o.HistogramObserver,
                           o.MovingAverageMinMaxObserver])
        symmetric = rng.random() < 0.2
    per_channel = "PerChannel" in kind.__name__
    if per_channel:
        kwargs["qscheme"] = torch.per_channel_symmetric if symmetric else torch.per_channel_affine
    elif symmetric:
        kwargs["qscheme"] = torch.per_tensor_symmetric
    if rng.random() < 0.15:
        kwargs["eps"] = 2.0**-12
    if rng.random() < 0.15:
        low, high = rng.choice([(0, 127), (0, 15), (10, 200)] if dtype == torch.quint8
                               else [(-127, 127), (-64, 63), (-8, 7)])
        kwargs["quant_min"], kwargs["quant_max"] = low, high
    elif rng.random() < 0.15 and not (symmetric and dtype == torch.quint8):
        kwargs["reduce_range"] = True
    if rng.random() < 0.1 and kind is o.MovingAverageMinMaxObserver:
        kwargs["averaging_constant"] = 0.3
    return kind.with_args(**kwargs)


def fake_quantizer(rng, weight):
    if weight:
        kind = rng.choice([o.MovingAverageMinMaxObserver, o.MovingAveragePerChannelMinMaxObserver])
        schemes = {"observer": kind, "quant_min": -128, "quant_max": 127, "dtype": torch.qint8,
                   "qscheme": torch.per_channel_symmetric if "Channel" in kind.__name__
                   else torch.per_tensor_symmetric}
        if "Channel" in kind.__name__:
            schemes["ch_axis"] = 0
    else:
        schemes = {"observer": o.MovingAverageMinMaxObserver, "quant_min": 0, "quant_max": 255,
                   "dtype": torch.quint8}
        if rng.random() < 0.4:
            schemes["reduce_range"] = True
    kind = rng.choice([fq.FakeQuantize, fq.FusedMovingAvgObsFakeQuantize])
    return kind.with_args(**schemes)


def qconfig(rng, is_qat):
    draw = rng.random()
    if draw < 0.08:
        return None
    if draw < 0.5:
        return getattr(named, rng.choice(NAMED_QAT if is_qat else NAMED))
    if is_qat:
        return QConfig(activation=fake_quantizer(rng, False), weight=fake_quantizer(rng, True))
    if draw < 0.6:
        return QConfig(
            activation=o.PlaceholderObserver.with_args(
                dtype=rng.choice([torch.quint8, torch.qint8]), is_dynamic=True,
                quant_min=0, quant_max=255),
            weight=observer(rng, True))
    return QConfig(activation=observer(rng, False), weight=observer(rng, True))


def _narrow(qconfig_):
    if qconfig_ is None or qconfig_.activation is None:
        return qconfig_
    made = qconfig_.activation()
    ranged = (o.UniformQuantizationObserverBase, fq.FakeQuantize)
    if not isinstance(made, ranged) or isinstance(made, fq.FixedQParamsFakeQuantize):
        return qconfig_
    ranges = {torch.quint8: (0, 127), torch.qint8: (-64, 63)}
    if made.dtype not in ranges:
        return qconfig_
    low, high = ranges[made.dtype]
    kind, kwargs = qconfig_.activation, {}
    while not isinstance(kind, type):  # one wrapper: torch compares wrapped ones by identity
        kwargs = {**kind.p.keywords, **kwargs}
        kind = kind.p.func
    kwargs.update(quant_min=low, quant_max=high, reduce_range=False)
    return qconfig_._replace(activation=kind.with_args(**kwargs))


def narrow(mappings_):
    """Gives every activation observer of the mappings a range of 7 bits."""
    made = {}  # equal qconfigs stay equal

    def once(qconfig_):
        if id(qconfig_) not in made:
            made[id(qconfig_)] = qconfig_, _narrow(qconfig_)
        return made[id(qconfig_)][1]

    for item in mappings_:
        if item is None:
            continue
        item.set_global(once(item.global_qconfig))
        for table in (item.object_type_qconfigs, item.module_name_regex_qconfigs,
                      item.module_name_qconfigs, item.module_name_object_type_order_qconfigs):
            for key in table:
                table[key] = once(table[key])


def default_mapping(rng, is_qat):
    backend = rng.choice(["fbgemm", "x86", "qnnpack", "onednn", "x86", "qnnpack", "symmetric"])
    if backend == "symmetric":
        return (mappings._get_symmetric_qnnpack_qat_qconfig_mapping() if is_qat
                else mappings._get_symmetric_qnnpack_qconfig_mapping())
    if is_qat:
        return mappings.get_default_qat_qconfig_mapping(backend, version=rng.choice([0, 1]))
    return mappings.get_default_qconfig_mapping(backend)


def _walk(model):
    """Names and classes of the model's modules, functions and methods of its graph."""
    from torch.ao.quantization.fx.tracer import QuantizationTracer

    tracer = QuantizationTracer([], [])
    # Tracing leaves the tensors that forward makes in the module.
    graph = tracer.trace(copy.deepcopy(model))
    paths = [name for name, _ in model.named_modules() if name]
    types = {type(child) for _, child in model.named_modules() if _}
    functions = [n.target for n in graph.nodes if n.op in ("call_function", "call_method")]
    scopes = [v for v in tracer.node_name_to_scope.values() if v[1] is not None]
    return paths, sorted(types, key=lambda t: t.__name__), functions, scopes


def mapping(rng, model, is_qat):
    paths, types, functions, scopes = _walk(model)
    if rng.random() < 0.5:
        result = default_mapping(rng, is_qat)
        extra = rng.random() < 0.4
    else:
        result = QConfigMapping()
        if rng.random() < 0.9:
            result.set_global(qconfig(rng, is_qat))
        extra = rng.random() < 0.6
    if not extra:
        return result
    for _ in range(rng.randint(1, 3)):
        level = rng.randint(0, 4)
        choice = qconfig(rng, is_qat)
        if level == 0 and (types or functions):
            result.set_object_type(rng.choice(types + functions), choice)
        elif level == 1 and paths:
            path = rng.choice(paths)
            regex = rng.choice([path[:2] + ".*", ".*" + path[-1:], path, "(conv|fc).*"])
            result.set_module_name_regex(regex, choice)
        elif level == 2 and paths:
            result.set_module_name(rng.choice(paths), choice)
        elif level == 3 and scopes:
            path, kind = rng.choice(scopes)
            parent = path.rpartition(".")[0]
            result.set_module_name_object_type_order(parent, kind, rng.randint(0, 1), choice)
        elif functions:
            result.set_module_name_object_type_order(
                "", rng.choice(functions), rng.randint(0, 1), choice)
    return result


def dtype_with_constraints(rng, dtype):
    kwargs = {"dtype": dtype}
    low, high = {torch.quint8: (0, 255), torch.qint8: (-128, 127)}.get(dtype, (0, 255))
    if rng.random() < 0.4:
        tight = rng.choice([0, 0, 1])
        kwargs["quant_min_lower_bound"] = low + tight
        if rng.random() < 0.8:
            kwargs["quant_max_upper_bound"] = high - tight
    if rng.random() < 0.3:
        kwargs["scale_min_lower_bound"] = rng.choice([2**-12, 1e-8])
    if rng.random() < 0.1:
        kwargs["scale_max_upper_bound"] = 0.001
    if rng.random() < 0.1:
        kwargs["scale_exact_match"] = 1 / 256
        if rng.random() < 0.7:
            kwargs["zero_point_exact_match"] = 0
    return DTypeWithConstraints(**kwargs)


def dtype_configs(rng):
    configs = []
    for _ in range(rng.choice([1, 1, 2])):
        i, w = rng.choice([(torch.quint8, torch.qint8)] * 4 + [(torch.qint8, torch.qint8)]
                          + [(torch.float16, torch.float16)])
        pick = lambda d: dtype_with_constraints(rng, d) if rng.random() < 0.4 else d
        dynamic = rng.random() < 0.2
        configs.append(DTypeConfig(
            input_dtype=pick(i), output_dtype=torch.float if dynamic else pick(i),
            weight_dtype=rng.choice([pick(w), pick(w), None]),
            bias_dtype=rng.choice([torch.float, torch.float, None]),
            is_dynamic=True if dynamic else rng.choice([None, False])))
    return configs


def custom_backend(rng):
    """A built-in config with entries dropped, changed and added."""
    base = pipeline.backend_config_object(rng.choice(BUILT_IN))
    keep = rng.choice([0.3, 0.6, 0.9])
    result = BackendConfig(f"custom{rng.randint(0, 99)}")
    for entry in base.configs:
        if rng.random() > keep:
            continue
        entry = copy.copy(entry)
        if rng.random() < 0.15:
            entry.set_dtype_configs(dtype_configs(rng))
        if rng.random() < 0.08:
            entry.set_observation_type(rng.choice(list(ObservationType)))
        result.set_backend_pattern_config(entry)
    firsts = [operator_ for operator_ in (nn.Linear, nn.Conv2d, nn.ReLU, torch.add, "view",
                                          nn.functional.linear, nn.Softmax, torch.matmul)]
    for _ in range(rng.randint(0, 3)):
        pattern = rng.choice([
            *firsts, (nn.Linear, nn.Sigmoid), (torch.add, nn.ReLU), (nn.Linear, torch.relu),
            (torch.matmul, torch.add, nn.functional.relu), (nn.ReLU, nn.Linear),
            (torch.nn.functional.linear, nn.Sigmoid), (nn.Conv2d, torch.tanh)])
        entry = BackendPatternConfig(pattern)
        entry.set_observation_type(rng.choice(list(ObservationType)))
        entry.set_dtype_configs(dtype_configs(rng))
        root = pattern[0] if isinstance(pattern, tuple) else pattern
        if root in (nn.Linear, nn.Conv2d) and rng.random() < 0.8:
            import torch.ao.nn.quantized.reference as nnqr

            entry.set_root_module(root)
            entry.set_reference_quantized_module(getattr(nnqr, root.__name__))
        if root is nn.functional.linear:
            entry._set_input_type_to_index({"weight": 1, "bias": 2})
        result.set_backend_pattern_config(entry)
    return result


def convert_mapping(rng, model, mapping_, is_qat):
    """A mapping for convert that turns some of what was prepared off again."""
    if is_qat or rng.random() > 0.08:
        return None
    result = copy.deepcopy(mapping_)
    paths, types, functions, _ = _walk(model)
    if rng.random() < 0.3:
        result.set_global(None)
    for _ in range(rng.randint(1, 2)):
        if rng.random() < 0.5 and paths:
            result.set_module_name(rng.choice(paths), None)
        elif types or functions:
            result.set_object_type(rng.choice(types + functions), None)
    return result


def custom_settings(rng, model, batches, mapping_):
    """(PrepareCustomConfig or None, its JSON)."""
    draw = rng.random()
    if draw > 0.2:
        return None, None
    config, json = q.fx.custom_config.PrepareCustomConfig(), {}
    inputs = [i for i, x in enumerate(batches[0]) if x.is_floating_point()]
    if rng.random() < 0.5 and inputs:
        json["input_quantized_indexes"] = [rng.choice(inputs)]
        config.set_input_quantized_indexes(json["input_quantized_indexes"])
    if rng.random() < 0.5:
        json["output_quantized_indexes"] = rng.choice([[0], [0], [1], [0, 1]])
        config.set_output_quantized_indexes(json["output_quantized_indexes"])
    blocks = [(n, type(m)) for n, m in model.named_modules()
              if n and type(m).__name__ in ("Block", "Other")]
    if rng.random() < 0.3:
        model.tag = rng.choice(["hello", 3, 2.5])
        json["preserved_attributes"] = ["tag"]
        config.set_preserved_attributes(["tag"])
    chains = [n for n, m in model.named_modules()
              if n and "." not in n and type(m) is nn.Sequential]
    if chains and rng.random() < 0.6:
        name = rng.choice(chains)
        own = default_mapping(rng, False) if rng.random() < 0.5 else None
        inner, inner_json = q.fx.custom_config.PrepareCustomConfig(), {}
        if rng.random() < 0.5:
            inner_json["input_quantized_indexes"] = [0]
            inner.set_input_quantized_indexes([0])
        if rng.random() < 0.5:
            inner_json["output_quantized_indexes"] = [0]
            inner.set_output_quantized_indexes([0])
        config.set_standalone_module_name(name, own, (batches[0][0],), inner, None)
        json["standalone_module_names"] = {name: {
            "qconfig_mapping": None if own is None else observers.mapping(own),
            "prepare_custom_config": inner_json}}
    elif blocks and rng.random() < 0.6:
        name, kind = rng.choice(blocks)
        if rng.random() < 0.5:
            json["non_traceable_module_names"] = [name]
            config.set_non_traceable_module_names([name])
        else:
            json["non_traceable_module_classes"] = [kind.__name__]
            config.set_non_traceable_module_classes([kind])
    return (config, json) if json else (None, None)
