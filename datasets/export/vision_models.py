"""Writes datasets/vision: torchvision's networks without weights, and what torch makes of them.

    python datasets/export/vision_models.py [--out datasets/vision] [MODEL ...]

needs torch 2.14.1 and torchvision 0.29.2 and writes the same bytes every time. For each model:
  float.graph.json  the network as prepare_fx traces it, tensors by name only
  train.graph.json  the same in training mode, where that is another graph
  torch.txt         what prepare_fx, prepare_qat_fx and all conversions made of it
datasets/vision/README.md describes the files, datasets/seeded_weights.h the weights.
"""

import argparse
import contextlib
import copy
import pathlib
import sys
import warnings

import export_graph
import graph_lines
import ordered_arithmetic
import seeded_weights
import torch
import torchvision
from torch.ao.quantization import get_default_qat_qconfig_mapping, get_default_qconfig_mapping
from torch.ao.quantization import quantize_fx
from torch.ao.quantization.backend_config import qnnpack, x86
from torchvision.ops.stochastic_depth import stochastic_depth

MODELS = [
    "resnet18",
    "resnet50",
    "mobilenet_v2",
    "mobilenet_v3_small",
    "shufflenet_v2_x1_0",
    "densenet121",
    "googlenet",
    "efficientnet_b0",
]
CONFIGS = {"x86": x86.get_x86_backend_config, "qnnpack": qnnpack.get_qnnpack_backend_config}
FILL = "kaiming.1"
# The package has a function of the same name.
fx_prepare = sys.modules["torch.ao.quantization.fx.prepare"]
INPUT = (2, 3, 64, 64)
BATCHES = 2


def make(name):
    extra = {"init_weights": False} if name == "googlenet" else {}
    model = getattr(torchvision.models, name)(weights=None, **extra)
    seeded_weights.fill_module(model, FILL)
    return model


def write_graph(model, about, path):
    traced, scopes = export_graph.trace(model)
    modules = {}
    for node in traced.graph.nodes:
        if node.op == "call_module" and node.target not in modules:
            called = traced.get_submodule(node.target)
            modules[node.target] = export_graph.module_record(node.target, called, {})
    record = {
        "format": "qconform.graph/1",
        "about": about,
        "graph": [export_graph.node_record(node) for node in traced.graph.nodes],
        "modules": modules,
        "attrs": {},
        "node_scope": scopes,
    }
    path.write_text(export_graph.as_lines(record))
    return record["graph"]


@contextlib.contextmanager
def watched_prepare(seen, kinds):
    """Keeps the fused module and the matches of the prepare that runs inside."""
    prepare, insert = quantize_fx.prepare, fx_prepare.insert_observers_for_model

    def watch_prepare(module, *args, **kwargs):
        seen["fused"] = (
            graph_lines.graph_lines(module.graph),
            graph_lines.called_module_lines(module, kinds),
        )
        return prepare(module, *args, **kwargs)

    def watch_insert(module, matches, qconfigs, *args, **kwargs):
        seen["matches"] = graph_lines.match_lines(matches, qconfigs)
        return insert(module, matches, qconfigs, *args, **kwargs)

    quantize_fx.prepare, fx_prepare.insert_observers_for_model = watch_prepare, watch_insert
    try:
        yield
    finally:
        quantize_fx.prepare, fx_prepare.insert_observers_for_model = prepare, insert


def prepare(model, is_qat, config):
    torch.backends.quantized.engine = config
    model = copy.deepcopy(model).train(is_qat)
    backend_config = CONFIGS[config]()
    example = (seeded_weights.input_batch(FILL, 0, INPUT),)
    if is_qat:
        mapping = get_default_qat_qconfig_mapping(config)
        return quantize_fx.prepare_qat_fx(model, mapping, example, backend_config=backend_config)
    mapping = get_default_qconfig_mapping(config)
    return quantize_fx.prepare_fx(model, mapping, example, backend_config=backend_config)


@contextlib.contextmanager
def without_randomness(prepared):
    """Dropout in evaluation mode and stochastic depth of probability 0."""
    for module in prepared.modules():
        if isinstance(module, torch.nn.Dropout):
            module.eval()
    nodes = [node for node in prepared.graph.nodes if node.target is stochastic_depth]
    kept = [node.args for node in nodes]
    for node in nodes:
        node.args = (node.args[0], 0.0, *node.args[2:])
    prepared.recompile()
    try:
        yield
    finally:
        for node, args in zip(nodes, kept):
            node.args = args
        prepared.recompile()


def calibrate(prepared):
    """All batches, in training mode for QAT; then evaluation mode."""
    with without_randomness(prepared), torch.no_grad():
        for batch in range(BATCHES):
            prepared(seeded_weights.input_batch(FILL, batch, INPUT))
    return prepared.eval()


def variant(model, is_qat, config, kinds):
    """Sections of one config in one mode: name to lines."""
    seen, backend_config = {}, CONFIGS[config]()
    with watched_prepare(seen, kinds):
        prepared = prepare(model, is_qat, config)
    sections = {"fused.graph": seen["fused"][0], "fused.modules": seen["fused"][1]}
    sections["matches"] = seen["matches"]
    sections["prepared.graph"] = graph_lines.graph_lines(prepared.graph)
    with ordered_arithmetic.ordered_arithmetic():
        calibrate(prepared)
    sections["prepared.modules"] = graph_lines.called_module_lines(prepared, kinds)
    nodes, instances = graph_lines.observer_lines(prepared, kinds)
    sections["observers"], sections["observed"] = nodes, instances
    if not is_qat:
        free = calibrate(prepare(model, is_qat, config))
        sections["free"] = graph_lines.range_lines(free)

    reference = quantize_fx.convert_to_reference_fx(
        copy.deepcopy(prepared), backend_config=backend_config
    ).eval()
    sections["reference.graph"] = graph_lines.graph_lines(reference.graph)
    sections["reference.modules"] = graph_lines.called_module_lines(reference, kinds)
    sections["reference.attributes"] = graph_lines.attribute_lines(reference)
    decomposed = quantize_fx._convert_to_reference_decomposed_fx(
        copy.deepcopy(prepared), backend_config=backend_config
    ).eval()
    lines, qparams = graph_lines.decomposed_lines(decomposed.graph)
    sections["decomposed.graph"], sections["decomposed.qparams"] = lines, qparams
    sections["decomposed.modules"] = graph_lines.called_module_lines(decomposed, kinds)
    lowered = quantize_fx.convert_fx(copy.deepcopy(prepared), backend_config=backend_config)
    sections["lowered.graph"] = graph_lines.graph_lines(lowered.graph)
    sections["lowered.modules"] = graph_lines.lowered_module_lines(lowered)
    with ordered_arithmetic.ordered_arithmetic(), torch.no_grad():
        with without_randomness(reference):
            outputs = reference(seeded_weights.input_batch(FILL, BATCHES, INPUT))
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    sections["output"] = [graph_lines.tensor_text(output) for output in outputs]
    return sections


def write_model(name, folder):
    folder.mkdir(parents=True, exist_ok=True)
    model = make(name)
    about = f"torchvision {torchvision.__version__.split('+')[0]}, {name}"
    evaluation = write_graph(copy.deepcopy(model).eval(), about, folder / "float.graph.json")
    train_file = folder / "train.graph.json"
    if write_graph(copy.deepcopy(model).train(), about + " in training", train_file) == evaluation:
        train_file.unlink()
    texts, first, kinds = [], {}, graph_lines.Kinds()
    for is_qat in (False, True):
        for config in CONFIGS:
            for section, lines in variant(model, is_qat, config, kinds).items():
                title = f"{'qat' if is_qat else 'static'}.{config}.{section}"
                text = "\n".join(lines)
                if len(text) > 200 and text in first:
                    texts.append(f"== {title} is {first[text]}\n")
                else:
                    first.setdefault(text, title)
                    texts.append(f"== {title}\n" + "".join(line + "\n" for line in lines))
    texts.append("== kinds\n" + "".join(line + "\n" for line in kinds.lines()))
    heading = (
        f"torch {torch.__version__.split('+')[0]}, torchvision {torchvision.__version__.split('+')[0]}, "
        f"{name}, fill {FILL}, input {list(INPUT)}\n"
    )
    (folder / "torch.txt").write_text(heading + "".join(texts))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    here = pathlib.Path(__file__).resolve().parent
    parser.add_argument("--out", type=pathlib.Path, default=here.parent / "vision")
    parser.add_argument("models", nargs="*", default=MODELS)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    for name in options.models:
        write_model(name, options.out / name)
        print(name, flush=True)


if __name__ == "__main__":
    main()
