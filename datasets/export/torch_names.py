"""Prints reference/lint/torch_names.inc: the names of torch that a traced graph can hold.

    python torch_names.py > reference/lint/torch_names.inc
"""

import inspect
import operator
import textwrap

import torch
import torch.ao.nn.intrinsic
import torch.ao.nn.intrinsic.qat
import torch.ao.nn.qat
import torch.ao.nn.qat.dynamic
import torch.ao.nn.quantizable
import torch.ao.nn.quantized.reference
import torch.nn.functional as functional
from torch.overrides import get_overridable_functions


def module_classes(module):
    return [
        name
        for name in dir(module)
        if not name.startswith("_")
        and inspect.isclass(getattr(module, name))
        and issubclass(getattr(module, name), torch.nn.Module)
    ]


def overridable(module):
    known = set(get_overridable_functions().get(module, []))
    return [
        name
        for name in dir(module)
        if not name.startswith("_") and inspect.isroutine(getattr(module, name))
        and getattr(module, name) in known
    ]


def nn_functions():
    # Pooling functions with two forms and re-exported built-ins are not in torch's own
    # table of what can be overridden.
    names = set(overridable(functional))
    for name in dir(functional):
        value = getattr(functional, name)
        if name.startswith("_") or not callable(value) or inspect.isclass(value):
            continue
        if "pool" in name or inspect.isbuiltin(value) or name in ("sigmoid", "tanh"):
            names.add(name)
    return sorted(names)


def methods():
    return [
        name
        for name in dir(torch.Tensor)
        if not name.startswith("_") and callable(getattr(torch.Tensor, name))
    ]


SECTIONS = [
    ("torch.nn.", module_classes(torch.nn)),
    ("torch.ao.nn.intrinsic.", module_classes(torch.ao.nn.intrinsic)),
    ("torch.ao.nn.intrinsic.qat.", module_classes(torch.ao.nn.intrinsic.qat)),
    ("torch.ao.nn.qat.", module_classes(torch.ao.nn.qat)),
    ("torch.ao.nn.qat.dynamic.", module_classes(torch.ao.nn.qat.dynamic)),
    ("torch.ao.nn.quantizable.", module_classes(torch.ao.nn.quantizable)),
    ("torch.ao.nn.quantized.reference.",
     module_classes(torch.ao.nn.quantized.reference)),
    ("torch.nn.functional.", nn_functions()),
    ("torch.", overridable(torch)),
    ("operator.", [name for name in dir(operator) if not name.startswith("_")
                   and inspect.isroutine(getattr(operator, name))]),
    ("builtins.", ["getattr"]),
    ("", methods()),
]


def main():
    print("// The names of torch 2.14.1 that a traced graph can hold: what stands before the")
    print("// name, and the last parts. Printed by datasets/export/torch_names.py.")
    for prefix, names in SECTIONS:
        print("{\"%s\"," % prefix)
        for line in textwrap.wrap(" ".join(names), 80, break_on_hyphens=False):
            print(" \"%s \"" % line)
        print("},")


main()
