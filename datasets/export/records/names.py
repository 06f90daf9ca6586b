"""Public names of torch's types and functions, as the records spell them, and back."""

import builtins
import functools
import importlib
import operator

import torch
import torch.ao.nn.intrinsic
import torch.ao.nn.intrinsic.qat
import torch.ao.nn.intrinsic.quantized
import torch.ao.nn.intrinsic.quantized.dynamic
import torch.ao.nn.qat
import torch.ao.nn.qat.dynamic
import torch.ao.nn.quantized
import torch.ao.nn.quantized.dynamic
import torch.ao.nn.quantized.reference
from torch.ao.quantization.utils import MatchAllNode

# In the order in which a name is looked for: the shortest public one first.
TYPE_ROOMS = [
    "torch.nn",
    "torch.ao.nn.intrinsic",
    "torch.ao.nn.intrinsic.qat",
    "torch.ao.nn.intrinsic.quantized",
    "torch.ao.nn.intrinsic.quantized.dynamic",
    "torch.ao.nn.qat",
    "torch.ao.nn.qat.dynamic",
    "torch.ao.nn.quantized.reference",
    "torch.ao.nn.quantized",
    "torch.ao.nn.quantized.dynamic",
]
FUNCTION_ROOMS = ["operator", "torch.nn.functional", "torch", "builtins"]


def _room(name):
    return importlib.import_module(name)


@functools.cache
def _function_table():
    table = {}
    for room in FUNCTION_ROOMS:
        module = _room(room)
        for name in sorted(vars(module)):
            value = getattr(module, name)
            if callable(value) and not isinstance(value, type) and not name.startswith("__"):
                if getattr(value, "__name__", name) == name:
                    table.setdefault(id(value), f"{room}.{name}")
        for name in sorted(vars(module)):
            value = getattr(module, name)
            if callable(value) and not isinstance(value, type) and not name.startswith("__"):
                table.setdefault(id(value), f"{room}.{name}")
    return table


def type_name(kind):
    """torch.nn.Conv2d for a class of torch, the bare name for any other class."""
    for room in TYPE_ROOMS:
        if getattr(_room(room), kind.__name__, None) is kind:
            return f"{room}.{kind.__name__}"
    if kind.__module__.startswith("torch.nn.utils.parametrize"):
        return f"torch.nn.utils.parametrize.{kind.__name__}"
    if kind.__module__.startswith("torch.ao.nn"):
        return f"{kind.__module__}.{kind.__name__}"
    return kind.__name__


def function_name(function):
    """operator.add, torch.nn.functional.relu, quantized_decomposed.quantize_per_tensor.default."""
    if isinstance(function, (torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
        return str(function).replace("::", ".")
    if id(function) in _function_table():
        return _function_table()[id(function)]
    module = getattr(function, "__module__", None)
    name = getattr(function, "__qualname__", getattr(function, "__name__", str(function)))
    if module and module.startswith("torch"):
        return f"{module}.{name}"
    return name


def atom_name(value):
    """The name of one part of a pattern."""
    if value is MatchAllNode:
        return "MatchAllNode"
    if value is getattr:
        return "builtins.getattr"
    if isinstance(value, type):
        return type_name(value)
    if callable(value):
        return function_name(value)
    return value if isinstance(value, str) else {"lit": value}


def pattern(value):
    if isinstance(value, (tuple, list)):
        return [pattern(part) for part in value]
    return atom_name(value)


@functools.cache
def find(name):
    """The object behind a dotted name; a name without a dot is a method and stays."""
    if "." not in name:
        return MatchAllNode if name == "MatchAllNode" else name
    if name.startswith(("quantized.", "quantized_decomposed.", "aten.")):
        return operator.attrgetter(name)(torch.ops)
    if name.startswith("builtins."):
        return getattr(builtins, name.split(".", 1)[1])
    parts = name.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        return operator.attrgetter(".".join(parts[cut:]))(value)
    raise ValueError(f"no object of the name {name}")
