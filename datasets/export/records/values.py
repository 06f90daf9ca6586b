"""Tensors, arguments, nodes and modules as JSON; datasets/oracle/FORMAT.md says how."""

import base64
import math

import torch
from records import names
from torch.fx import GraphModule, Node

INTEGERS = {torch.quint8: "uint8", torch.qint8: "int8", torch.qint32: "int32"}
# What a record keeps of a module beside its tensors, where the module has it.
ATTRIBUTES = """mode in_channels out_channels kernel_size stride padding dilation groups
padding_mode output_padding in_features out_features num_features eps momentum affine
track_running_stats num_groups num_channels normalized_shape elementwise_affine output_size
count_include_pad ceil_mode divisor_override return_indices hidden_size input_size
num_layers batch_first bidirectional num_embeddings embedding_dim padding_idx max_norm
norm_type include_last_offset num_parameters negative_slope inplace dim alpha min_val
max_val p upscale_factor downscale_factor start_dim end_dim freeze_bn scale_factor size
align_corners num_heads add_zero_attn""".split()
WEIGHT_ATTRIBUTES = """weight_qscheme weight_dtype weight_axis_int weight_quant_min
weight_quant_max is_decomposed""".split()
SCALARS = (bool, int, float, str, type(None))


def number(value):
    """A JSON scalar: NaN and infinities are strings."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    return value


def tensor(value):
    """dtype, shape, little endian bytes, and the values of a small one."""
    value = value.detach()
    extra = {}
    dtype = str(value.dtype).removeprefix("torch.")
    if value.is_quantized:
        if value.qscheme() in (torch.per_tensor_affine, torch.per_tensor_symmetric):
            extra = {"scale": number(value.q_scale()), "zero_point": value.q_zero_point()}
        else:
            extra = {
                "scales": tensor(value.q_per_channel_scales()),
                "zero_points": tensor(value.q_per_channel_zero_points()),
                "axis": value.q_per_channel_axis(),
            }
        value = value.int_repr()
    value = value.contiguous().cpu()
    record = {"dtype": dtype, **extra, "shape": list(value.shape)}
    flat = value.reshape(-1)
    raw = flat.view(torch.uint8) if value.numel() else torch.zeros(0, dtype=torch.uint8)
    record["b64"] = base64.b64encode(raw.numpy().tobytes()).decode()
    if value.numel() <= 8:
        record["v"] = [number(item) for item in flat.tolist()]
    return record


def any_value(value):
    """Inputs and outputs: tensors, sequences, dicts and scalars."""
    if isinstance(value, torch.Tensor):
        return tensor(value)
    if isinstance(value, (tuple, list)):
        return {"t": [any_value(item) for item in value]}
    if isinstance(value, dict):
        return {"d": {key: any_value(item) for key, item in value.items()}}
    if isinstance(value, SCALARS):
        return number(value)
    return {"o": str(value)}


def argument(value):
    if isinstance(value, Node):
        return {"n": value.name}
    if isinstance(value, slice):
        return {"sl": [argument(part) for part in (value.start, value.stop, value.step)]}
    if isinstance(value, tuple):
        return {"t": [argument(item) for item in value]}
    if isinstance(value, list):
        return {"l": [argument(item) for item in value]}
    if isinstance(value, dict):
        return {"d": {key: argument(item) for key, item in value.items()}}
    if isinstance(value, torch.dtype):
        return {"dt": str(value)}
    if isinstance(value, SCALARS):
        return number(value)
    return {"o": str(value)}


def node(value):
    target = value.target
    return {
        "name": value.name,
        "op": value.op,
        "target": names.function_name(target) if value.op == "call_function" else target,
        "args": [argument(item) for item in value.args],
        "kwargs": {key: argument(item) for key, item in value.kwargs.items()},
    }


def graph(value):
    return [node(item) for item in value.nodes]


def _plain(value):
    """A module's attribute: dtypes and schemes by name."""
    if isinstance(value, (torch.dtype, torch.qscheme)):
        return str(value)
    return argument(value)


def _attributes(value, extra=()):
    attrs = {}
    for name in [*ATTRIBUTES, *extra]:
        found = getattr(value, name, None)
        if hasattr(value, name) and not callable(found) and not isinstance(found, torch.Tensor):
            attrs[name] = _plain(found)
    if hasattr(value, "weight_qscheme"):
        attrs.update({name: _plain(getattr(value, name)) for name in WEIGHT_ATTRIBUTES})
        attrs["weight_qscheme"] = str(value.weight_qscheme)
    return attrs


def _is_observer(value):
    kinds = (
        torch.ao.quantization.ObserverBase,
        torch.ao.quantization.FakeQuantizeBase,
    )
    return isinstance(value, kinds)


def _quantized_weight(value):
    """The unpacked weight and bias of a module of torch.ao.nn.quantized, or nothing."""
    if not type(value).__module__.startswith("torch.ao.nn"):
        return {}
    if not callable(getattr(value, "weight", None)):
        return {}
    try:
        record = {"qweight": tensor(value.weight())}
    except (RuntimeError, AttributeError, TypeError):
        return {}
    if callable(getattr(value, "bias", None)):
        bias = value.bias()
        record["bias"] = None if bias is None else tensor(bias)
    return record


def module(value, tensors=True):
    """A module with its tensors (or without), its children and its fake-quantizers."""
    from records import observers

    if isinstance(value, GraphModule):
        return graph_module(value, tensors)
    record = {"type": names.type_name(type(value)), "training": value.training}
    packed = _quantized_weight(value)
    record.update(packed)
    functional = isinstance(value, torch.ao.nn.quantized.QFunctional)
    extra = ["scale", "zero_point"] if packed or functional else []
    record["attrs"] = _attributes(value, extra)
    fake_quants = {
        name: observers.state(child)
        for name, child in value.named_children()
        if _is_observer(child) and name != "activation_post_process"
    }
    tensors = tensors or bool(fake_quants)
    if tensors:
        for key, table in (("params", value._parameters), ("buffers", value._buffers)):
            record[key] = {
                name: tensor(item)
                for name, item in table.items()
                if isinstance(item, torch.Tensor)
            }
    children = {
        name: module(child, tensors)
        for name, child in value.named_children()
        if not _is_observer(child)
    }
    if children:
        record["children"] = children
    if fake_quants:
        record["fake_quant"] = fake_quants
    return record


def called_modules(graph_module, tensors=True):
    record = {}
    for item in graph_module.graph.nodes:
        if item.op == "call_module" and item.target not in record:
            called = graph_module.get_submodule(item.target)
            if not _is_observer(called):
                record[item.target] = module(called, tensors)
    return record


def attributes(graph_module):
    """The tensors that get_attr nodes read."""
    record = {}
    for item in graph_module.graph.nodes:
        if item.op != "get_attr" or item.target in record:
            continue
        owner = graph_module
        *path, last = item.target.split(".")
        for part in path:
            owner = getattr(owner, part)
        value = getattr(owner, last)
        record[item.target] = (
            tensor(value) if isinstance(value, torch.Tensor) else {"o": "packed_params"}
        )
    return record


def graph_module(value, tensors=True):
    return {
        "type": "GraphModule",
        "graph": graph(value.graph),
        "modules": called_modules(value, tensors),
        "attrs": attributes(value) if tensors else {},
    }
