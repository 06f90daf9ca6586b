"""FX graphs, module trees and observers as lines of text: one node, module or observer a line.

The C++ half is cli/parity/graph_lines.h, which documents the format.
"""

import builtins
import hashlib
import json
import operator

import torch
import torch.ao.nn.intrinsic
import torch.ao.nn.intrinsic.qat
import torch.ao.nn.intrinsic.quantized
import torch.ao.nn.qat
import torch.ao.nn.quantized
import torch.ao.nn.quantized.reference
from torch.ao.quantization.qconfig import qconfig_equals
from torch.fx import Node

MODULES = [
    ("operator", operator),
    ("torch.nn.functional", torch.nn.functional),
    ("torch", torch),
    ("builtins", builtins),
    ("torch.nn", torch.nn),
    ("torch.ao.nn.intrinsic", torch.ao.nn.intrinsic),
    ("torch.ao.nn.intrinsic.qat", torch.ao.nn.intrinsic.qat),
    ("torch.ao.nn.qat", torch.ao.nn.qat),
    ("torch.ao.nn.quantized.reference", torch.ao.nn.quantized.reference),
    ("torch.ao.nn.quantized", torch.ao.nn.quantized),
    ("torch.ao.nn.intrinsic.quantized", torch.ao.nn.intrinsic.quantized),
]
# What modules hold besides their __constants__.
MORE_ATTRIBUTES = [
    "freeze_bn",
    "weight_axis_int",
    "weight_dtype",
    "weight_qscheme",
    "weight_quant_max",
    "weight_quant_min",
]


class Kinds:
    """Numbers for texts that many lines share: "K3"."""

    def __init__(self):
        self.numbers = {}

    def number(self, text):
        return f"K{self.numbers.setdefault(text, len(self.numbers))}"

    def lines(self):
        return [f"K{number} = {text}" for text, number in self.numbers.items()]


def public_name(value):
    """The first public name of a function or class."""
    if isinstance(value, (torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
        return str(value)
    name = value.__name__
    for prefix, module in MODULES:
        if getattr(module, name, None) is value:
            return f"{prefix}.{name}"
    return f"{value.__module__}.{value.__qualname__}"


def scalar(value):
    if isinstance(value, (torch.dtype, torch.qscheme)):
        return str(value)
    return json.dumps(value)


def argument(value):
    if isinstance(value, Node):
        return value.name
    if isinstance(value, slice):
        return f"slice({argument(value.start)}, {argument(value.stop)}, {argument(value.step)})"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(argument, value)) + ")"
    if isinstance(value, list):
        return "[" + ", ".join(map(argument, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {argument(item)}" for key, item in value.items()) + "}"
    return scalar(value)


def tensor_text(tensor):
    """dtype[shape]=VALUE of one element, dtype[shape]#DIGEST of more."""
    dtype = str(tensor.dtype).removeprefix("torch.")
    shape = ",".join(map(str, tensor.shape))
    if tensor.numel() == 1:
        return f"{dtype}[{shape}]={json.dumps(tensor.item())}"
    data = tensor.detach().contiguous().numpy().tobytes()
    return f"{dtype}[{shape}]#{hashlib.sha256(data).hexdigest()[:12]}"


def decomposed_lines(graph):
    """The graph's lines and its qparams "q0 = scale, zero point", which the lines name."""
    names, qparams = {}, []
    for node in graph.nodes:
        if not isinstance(node.target, torch._ops.OpOverload) or "per_tensor" not in str(node.target):
            continue
        pair = f"{argument(node.args[1])}, {argument(node.args[2])}"
        source = names.get(node.args[0].name)
        if source is not None and qparams[source] == pair:
            names[node.name] = source
            continue
        names[node.name] = len(qparams)
        qparams.append(pair)
    lines = graph_lines(graph, {name: f"q{number}" for name, number in names.items()})
    return lines, [f"q{number} = {pair}" for number, pair in enumerate(qparams)]


def graph_lines(graph, qparams={}):
    lines = []
    for node in graph.nodes:
        target = node.target if isinstance(node.target, str) else public_name(node.target)
        arguments = [argument(value) for value in node.args]
        if node.name in qparams:
            arguments[1:3] = [qparams[node.name]]
        arguments += [f"{key}={argument(value)}" for key, value in node.kwargs.items()]
        lines.append(f"{node.name} = {node.op} {target}({', '.join(arguments)})")
    return lines


def codes_of(module):
    """The integers of a reference module's weight."""
    weight = module.weight.detach()
    scale, zero_point = module.weight_scale, module.weight_zero_point
    if module.weight_qscheme == torch.per_tensor_affine:
        codes = torch.quantize_per_tensor(weight, scale, zero_point, module.weight_dtype)
    else:
        codes = torch.quantize_per_channel(
            weight, scale, zero_point, module.weight_axis_int, module.weight_dtype
        )
    return codes.int_repr()


def is_observer(module):
    return isinstance(
        module, (torch.ao.quantization.ObserverBase, torch.ao.quantization.FakeQuantizeBase)
    )


def sorted_text(fields):
    return "".join(f" {name}={fields[name]}" for name in sorted(fields))


def module_lines(path, module, kinds):
    """A module and its children: "path: KIND name=tensor ...", KIND "class mode name=value ..."."""
    fields, tensors = {}, {}
    names = [*getattr(module, "__constants__", []), *MORE_ATTRIBUTES]
    for name in names:
        if hasattr(module, name) and not hasattr(type(module), name):
            fields[name] = argument(getattr(module, name))
    for name, tensor in [*module._parameters.items(), *module._buffers.items()]:
        if tensor is not None:
            tensors[name] = tensor_text(tensor)
    if type(module).__module__.startswith("torch.ao.nn.quantized.reference"):
        tensors["codes"] = tensor_text(codes_of(module))
    mode = "train" if module.training else "eval"
    kind = kinds.number(f"{public_name(type(module))} {mode}{sorted_text(fields)}")
    lines = [f"{path}: {kind}{sorted_text(tensors)}"]
    for name, child in module._modules.items():
        if child is None:
            continue
        if is_observer(child):
            lines.append(f"{path}.{name}: {observer_text(child, kinds)}")
        else:
            lines += module_lines(f"{path}.{name}", child, kinds)
    return lines


def called_modules(module):
    """Path and module of each call_module node, in order of first call."""
    targets = dict.fromkeys(n.target for n in module.graph.nodes if n.op == "call_module")
    return [(target, module.get_submodule(target)) for target in targets]


def called_module_lines(module, kinds):
    lines = []
    for path, called in called_modules(module):
        if not is_observer(called):
            lines += module_lines(path, called, kinds)
    return lines


def lowered_module_lines(module):
    """The modules that a lowered graph calls: "path: class name=value ..."."""
    lines = []
    for path, called in called_modules(module):
        fields = {}
        for name in ["scale", "zero_point"]:
            if hasattr(called, name):
                value = getattr(called, name)
                fields[name] = scalar(value.item() if torch.is_tensor(value) else value)
        if callable(getattr(called, "weight", None)):
            weight, bias = called.weight(), called.bias()
            fields["codes"] = tensor_text(weight.int_repr())
            if weight.qscheme() == torch.per_tensor_affine:
                scales = torch.tensor([weight.q_scale()])
                zero_points = torch.tensor([weight.q_zero_point()])
            else:
                scales = weight.q_per_channel_scales().float()
                zero_points = weight.q_per_channel_zero_points()
            fields["scales"] = tensor_text(scales)
            fields["zero_points"] = tensor_text(zero_points)
            if bias is not None:
                fields["bias"] = tensor_text(bias)
        lines.append(f"{path}: {public_name(type(called))}{sorted_text(fields)}")
    return lines


def attribute_lines(module):
    return [
        f"{node.target} = {tensor_text(operator.attrgetter(node.target)(module))}"
        for node in module.graph.nodes
        if node.op == "get_attr"
    ]


def observer_fields(observer, prefix=""):
    """Settings, and what was observed: two dicts of texts."""
    settings, values = {}, {}
    if isinstance(observer, torch.ao.quantization.FakeQuantizeBase):
        inner = observer.activation_post_process
        settings["fake_quant_enabled"] = scalar(observer.fake_quant_enabled[0].item())
        settings["observer_enabled"] = scalar(observer.observer_enabled[0].item())
        settings["ch_axis"] = scalar(observer.ch_axis)
        settings["observer.class"] = type(inner).__name__
        values["scale"] = tensor_text(observer.scale)
        values["zero_point"] = tensor_text(observer.zero_point)
        inner_settings, inner_values = observer_fields(inner, "observer.")
        return {**settings, **inner_settings}, {**values, **inner_values}
    fixed = isinstance(observer, torch.ao.quantization.FixedQParamsObserver)
    names = ["dtype", "qscheme", "quant_min", "quant_max", "is_dynamic"]
    if not fixed:
        names += ["reduce_range", "has_customized_qrange", "averaging_constant", "bins", "ch_axis"]
        settings[prefix + "eps"] = scalar(observer.eps.item())
    for name in names:
        if hasattr(observer, name):
            settings[prefix + name] = scalar(getattr(observer, name))
    for name in ["scale", "zero_point", "min_val", "max_val", "histogram"]:
        if hasattr(observer, name):
            values[prefix + name] = tensor_text(getattr(observer, name))
    return settings, values


def observer_text(observer, kinds):
    settings, values = observer_fields(observer)
    scale, zero_point = observer.calculate_qparams()
    values["qparams"] = f"{tensor_text(scale)},{tensor_text(zero_point)}"
    kind = kinds.number(f"{type(observer).__name__}{sorted_text(settings)}")
    return kind + sorted_text(values)


def range_lines(module):
    """Range and qparams of each observer."""
    lines, seen = [], []
    for node in module.graph.nodes:
        if node.op != "call_module" or not is_observer(module.get_submodule(node.target)):
            continue
        observer = module.get_submodule(node.target)
        if observer in seen:
            continue
        values = {
            name: tensor_text(getattr(observer, name))
            for name in ["min_val", "max_val"]
            if hasattr(observer, name)
        }
        scale, zero_point = observer.calculate_qparams()
        values["qparams"] = f"{tensor_text(scale)},{tensor_text(zero_point)}"
        lines.append(f"observer{len(seen)}:{sorted_text(values)}")
        seen.append(observer)
    return lines


def observer_lines(module, kinds):
    """A line for each observer node, and one for each observer."""
    nodes, instances, names = [], [], {}
    for node in module.graph.nodes:
        if node.op != "call_module" or not is_observer(module.get_submodule(node.target)):
            continue
        observer = module.get_submodule(node.target)
        if observer not in names:
            names[observer] = f"observer{len(names)}"
            instances.append(f"{names[observer]}: {observer_text(observer, kinds)}")
        users = " ".join(user.name for user in node.users)
        nodes.append(f"{node.name}: {names[observer]} of {node.args[0].name} to {users}")
    return nodes, instances


def pattern_text(pattern):
    if isinstance(pattern, tuple):
        return "(" + ", ".join(map(pattern_text, pattern)) + ")"
    return pattern if isinstance(pattern, str) else public_name(pattern)


def match_lines(matches, qconfigs):
    """`matches` of torch.ao.quantization.fx.prepare, `qconfigs` by node name."""
    different, lines = [], []
    for name, qconfig in qconfigs.items():
        number = "-"
        if qconfig is not None:
            equal = [i for i, other in enumerate(different) if qconfig_equals(qconfig, other)]
            number = f"q{equal[0] if equal else len(different)}"
            if not equal:
                different.append(qconfig)
        if name not in matches:
            lines.append(f"{name}: {number}")
            continue
        last, nodes, pattern, handler, _ = matches[name]
        lines.append(
            f"{name}: {number} last={last.name} root={handler.root_node.name} "
            f"pattern={pattern_text(pattern)} tensors={handler.num_tensor_args}"
        )
    return lines
