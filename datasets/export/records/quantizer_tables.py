"""What torchao's PT2E quantizers annotate: one case a small model and settings.

The graph of a case is what annotate() gets but for transform_for_annotation, which belongs
to the quantizer: exported, and for PTQ with batch norms folded.
"""

import copy
import operator
import re
import warnings

import torch
import torch.nn.functional as F
from records import values
from records.quantizer_models import MODELS
from torch import nn
from torchao.quantization.pt2e.quantizer import ComposableQuantizer, SharedQuantizationSpec
from torchao.quantization.pt2e.quantizer import arm_inductor_quantizer as arm
from torchao.quantization.pt2e.quantizer import x86_inductor_quantizer as x86
from torchao.quantization.pt2e.quantizer.embedding_quantizer import EmbeddingQuantizer
from torchao.quantization.pt2e.utils import _fuse_conv_bn_, _fuse_linear_bn_
from torchao.testing.pt2e import _xnnpack_quantizer as xnn

FUNCTIONS = {"torch.matmul": torch.matmul, "torch.mul": torch.mul, "torch.cat": torch.cat,
             "torch.flatten": torch.flatten, "torch.add": torch.add,
             "torch.nn.functional.linear": F.linear, "torch.nn.functional.relu": F.relu,
             "torch.nn.functional.conv1d": F.conv1d, "torch.nn.functional.conv2d": F.conv2d,
             "torch.nn.functional.max_pool2d": F.max_pool2d}


def resolve(name):
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    if name.startswith("aten."):
        _, packet, overload = name.split(".")
        return getattr(getattr(torch.ops.aten, packet), overload)
    return getattr(nn, name.removeprefix("torch.nn."))


DEFAULTS = {
    "x86_inductor": x86.get_default_x86_inductor_quantization_config,
    "arm_inductor": arm.get_default_arm_inductor_quantization_config,
    "xnnpack": xnn.get_symmetric_quantization_config,
}
CLASSES = {"x86_inductor": x86.X86InductorQuantizer, "arm_inductor": arm.ArmInductorQuantizer,
           "xnnpack": xnn.XNNPACKQuantizer, "embedding": EmbeddingQuantizer}


def config_of(kind, config):
    if config is None:
        return None
    if config == "linear_dynamic_fp16":
        return x86.get_x86_inductor_linear_dynamic_fp16_config()
    return DEFAULTS[kind](**config)


def quantizer_of(settings):
    if "quantizers" in settings:
        return ComposableQuantizer([quantizer_of(one) for one in settings["quantizers"]])
    kind = settings["quantizer"]
    quantizer = CLASSES[kind]()
    for call in settings.get("settings", []):
        config = config_of(kind, call["config"])
        method = getattr(quantizer, call["call"])
        if "name" in call:
            method(call["name"], config)
        elif "type" in call:
            method(resolve(call["type"]), config)
        else:
            method(config)
    return quantizer


def spec_of(spec, specs):
    if spec is None:
        return None
    if isinstance(spec, SharedQuantizationSpec):
        other = spec.edge_or_node
        return {"shared": [n.name for n in other] if isinstance(other, tuple) else other.name}
    kept = observer_of(spec.observer_or_fake_quant_ctr)
    record = {"dtype": str(spec.dtype), "quant_min": spec.quant_min,
              "quant_max": spec.quant_max,
              "qscheme": None if spec.qscheme is None else str(spec.qscheme),
              "ch_axis": spec.ch_axis, "is_dynamic": spec.is_dynamic, "observer": kept}
    for name, known in specs.items():
        if known == record:
            return name
    specs[f"s{len(specs)}"] = record
    return f"s{len(specs) - 1}"


def observer_of(made):
    if isinstance(made, type):
        return {"class": made.__name__}
    partial = made.p
    kwargs = {}
    while not isinstance(partial.func, type):
        kwargs = {**partial.func.p.keywords, **kwargs}
        partial = partial.func.p
    kwargs = {**partial.keywords, **made.p.keywords}
    return {"class": partial.func.__name__,
            "kwargs": {k: observer_of(v) if k == "observer" else v for k, v in kwargs.items()}}


def source_name(source):
    if isinstance(source, str):
        return source
    if isinstance(source, type):
        return f"{source.__module__}.{source.__qualname__}"
    for module, name in ((F, "torch.nn.functional"), (operator, "operator"), (torch, "torch")):
        if getattr(module, source.__name__, None) is source:
            return f"{name}.{source.__name__}"
    for name in dir(F):
        if getattr(F, name) is source:
            return f"torch.nn.functional.{name}"
    return source.__name__


def node_of(node):
    record = values.node(node)
    if not record["kwargs"]:
        del record["kwargs"]
    stack = node.meta.get("nn_module_stack")
    if stack and node.op == "call_function":
        record["stack"] = [[path, kind] for path, kind in stack.values()]
    source = node.meta.get("source_fn_stack")
    if source:
        record["source_fn"] = [source[-1][0], source_name(source[-1][1])]
    if node.meta.get("torch_fn"):
        record["torch_fn"] = list(node.meta["torch_fn"])
    value = node.meta.get("val")
    if isinstance(value, torch.Tensor):
        record["shape"] = list(value.shape)
        record["dtype"] = str(value.dtype)
    elif isinstance(value, (tuple, list)):
        record["tuple"] = True
    return record


def annotation_of(annotation, specs):
    record = {"inputs": [[n.name, spec_of(s, specs)]
                         for n, s in annotation.input_qspec_map.items()],
              "output": spec_of(annotation.output_qspec, specs),
              "annotated": annotation._annotated}
    if getattr(annotation, "_is_output_of_quantized_pattern", False):
        record["is_output_of_quantized_pattern"] = True
    return record


def is_qat(settings):
    calls = [c for one in settings.get("quantizers", [settings])
             for c in one.get("settings", [])]
    return any(isinstance(c["config"], dict) and c["config"].get("is_qat") for c in calls)


def case(name, settings, strict=False):
    make, shapes = MODELS[name]
    torch.manual_seed(0)
    model = make()
    qat = is_qat(settings)
    model.train(qat)
    inputs = tuple(torch.zeros(shape, dtype=torch.int64) if name == "Embedded"
                   else torch.randn(shape) for shape in shapes)
    program = torch.export.export(model, inputs, strict=strict).module(check_guards=False)
    if not qat:
        _fuse_conv_bn_(program)
        _fuse_linear_bn_(program)
    record = {"model": name, "strict": strict, "settings": copy.deepcopy(settings),
              "nodes": [node_of(n) for n in program.graph.nodes]}
    specs = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            quantizer = quantizer_of(settings)
            program = quantizer.transform_for_annotation(program)
            quantizer.annotate(program)
        except Exception as error:
            record["error"] = type(error).__name__
    # Without Python's addresses and the repr of a config.
    record["warnings"] = [
        re.sub(" at 0x[0-9a-f]+", "", str(w.message).split(" with config ")[0])
        for w in caught if issubclass(w.category, UserWarning)]
    if "error" not in record:
        record["after"] = [n.name for n in program.graph.nodes]
        record["annotations"] = {
            n.name: annotation_of(n.meta["quantization_annotation"], specs)
            for n in program.graph.nodes if "quantization_annotation" in n.meta}
        record["specs"] = specs
    return record
