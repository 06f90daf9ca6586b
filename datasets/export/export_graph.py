"""Writes a torch module as x.graph.json and x.safetensors.

The module is traced as prepare_fx traces it (QuantizationTracer), so node names and scopes
are those that torch's own quantization would see.
"""

import builtins
import hashlib
import json
import operator

import safetensors_file
import torch
from records.values import argument
from torch.ao.quantization.fx.tracer import QuantizationTracer
from torch.fx import GraphModule, Node

NAMED_MODULES = [
    ("operator", operator),
    ("torch.nn.functional", torch.nn.functional),
    ("torch", torch),
    ("builtins", builtins),
]


def public_name(value):
    """The first public name under which a function is reachable, else where it was defined."""
    for prefix, module in NAMED_MODULES:
        name = getattr(value, "__name__", "")
        if getattr(module, name, None) is value:
            return f"{prefix}.{name}"
        for name in dir(module):
            if getattr(module, name) is value:
                return f"{prefix}.{name}"
    if "<" in value.__qualname__:
        raise ValueError(f"no public name for {value}")
    return f"{value.__module__}.{value.__qualname__}"


def class_name(module):
    kind = type(module)
    if getattr(torch.nn, kind.__name__, None) is kind:
        return f"torch.nn.{kind.__name__}"
    return f"{kind.__module__}.{kind.__name__}"


def reference(name, tensor):
    """A tensor in the safetensors file beside the graph."""
    dtype = str(tensor.dtype).removeprefix("torch.")
    return {"dtype": dtype, "shape": list(tensor.shape), "tensor": name}


def trace(module):
    """A GraphModule, and node name -> (module path, class or None)."""
    tracer = QuantizationTracer([], [])
    traced = GraphModule(module, tracer.trace(module))
    scopes = {}
    for node in traced.graph.nodes:
        path, kind = tracer.node_name_to_scope.get(node.name, ("", None))
        # A module whose operations were all traced is not part of the GraphModule.
        scopes[node.name] = (path, class_name(module.get_submodule(path)) if kind else None)
    return traced, scopes


def node_record(node):
    target = public_name(node.target) if node.op == "call_function" else node.target
    return {
        "name": node.name,
        "op": node.op,
        "target": target,
        "args": [argument(value) for value in node.args],
        "kwargs": {key: argument(value) for key, value in node.kwargs.items()},
    }


def module_record(path, module, tensors):
    def references(named):
        record = {}
        for name, tensor in named.items():
            record[name] = None if tensor is None else reference(f"{path}.{name}", tensor)
            if tensor is not None:
                tensors[f"{path}.{name}"] = tensor
        return record

    constants = getattr(module, "__constants__", [])
    return {
        "type": class_name(module),
        "training": module.training,
        "attrs": {name: argument(getattr(module, name)) for name in constants},
        "params": references(module._parameters),
        "buffers": references(module._buffers),
    }


def as_lines(record):
    """JSON with one node, module or scope a line, so that a diff reads well."""
    parts = []
    for key, value in record.items():
        if len(json.dumps(value)) <= 160 and key != "graph":
            parts.append(f"{json.dumps(key)}: {json.dumps(value)}")
            continue
        if isinstance(value, dict):
            items = [f"{json.dumps(name)}: {json.dumps(item)}" for name, item in value.items()]
            opening, closing = "{", "}"
        else:
            items = [json.dumps(item) for item in value]
            opening, closing = "[", "]"
        lines = ",\n".join(f"  {item}" for item in items)
        parts.append(f"{json.dumps(key)}: {opening}\n{lines}\n{closing}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def export(module, folder, about, name="float"):
    """Writes folder/name.graph.json and folder/name.safetensors; returns the GraphModule."""
    traced, scopes = trace(module.eval())
    tensors, modules, attributes = {}, {}, {}
    for node in traced.graph.nodes:
        if node.op == "call_module" and node.target not in modules:
            called = traced.get_submodule(node.target)
            modules[node.target] = module_record(node.target, called, tensors)
        if node.op == "get_attr":
            tensors[node.target] = operator.attrgetter(node.target)(traced)
            attributes[node.target] = reference(node.target, tensors[node.target])
    tensor_file = folder / f"{name}.safetensors"
    safetensors_file.write(tensor_file, tensors)
    digest = hashlib.sha256(tensor_file.read_bytes()).hexdigest()
    record = {
        "format": "qconform.graph/1",
        "about": about,
        "tensors": {"file": tensor_file.name, "sha256": digest},
        "graph": [node_record(node) for node in traced.graph.nodes],
        "modules": modules,
        "attrs": attributes,
        "node_scope": scopes,
    }
    (folder / f"{name}.graph.json").write_text(as_lines(record))
    return traced
