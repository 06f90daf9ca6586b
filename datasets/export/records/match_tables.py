"""Random tables of the matcher: patterns on the nodes of random graphs."""

import operator
import random

import torch
import torch.nn.functional as F
from records import names, random_models, values
from torch import nn
from torch.ao.quantization.fx import match_utils
from torch.ao.quantization.fx.pattern_utils import _sorted_patterns_dict
from torch.ao.quantization.fx.tracer import QuantizationTracer
from torch.ao.quantization.utils import MatchAllNode
from torch.fx import Node

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


def _observed_pattern(rng, node, modules, depth=0):
    """A pattern read off a node, so that it has a chance to match."""
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
    rng = random.Random(seed)
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
    ordered = _sorted_patterns_dict({p: None for p in distinct})
    return {
        "graphs": stored, "patterns": [names.pattern(p) for p in patterns], "table": table,
        "sorted_patterns": {"in": [names.pattern(p) for p in distinct],
                            "out": [names.pattern(p) for p in ordered]},
        "valid_patterns": [], "fuser_method_lookup": [],
    }
