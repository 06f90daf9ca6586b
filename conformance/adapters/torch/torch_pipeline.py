"""Real torch behind `pipeline:COMMAND`: answers a folder of requests.

    qconform run --backend "pipeline:python torch_pipeline.py" --config x86

With --answers KEPT before the folder, answers are kept in the folder KEPT and given again
to equal requests: torch knows no modes, and is asked once for both.

conformance/host/pipeline_folder.h is the protocol. Needs torch 2.14.1 and nothing that is
not beside it or in datasets/export.
"""

import hashlib
import json
import pathlib
import shutil
import sys
import warnings

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "datasets" / "export"))

import rebuild  # noqa: E402
import torch_objects  # noqa: E402
from records import names, observers, values  # noqa: E402
from torch.ao.nn.quantized.reference.modules import rnn as reference_rnn  # noqa: E402
from torch.ao.quantization import quantize_fx  # noqa: E402

warnings.simplefilter("ignore")

ANSWERS = ("prepared.graph.json", "reference.graph.json", "refusal.json")


def build(record, named, is_qat):
    """The float module, with the stored graph in the place of what tracing would give."""
    root = torch.nn.Module()
    for path, item in record.get("modules", {}).items():
        rebuild.place(root, path, torch_objects.module(item, named))
    for path, item in record.get("attrs", {}).items():
        rebuild.place(root, path, torch_objects.tensor(item, named))
    root.is_replayed = True
    root.train(is_qat)
    rebuild.Replay.stored = record["graph"]
    kinds = {}
    rebuild.Replay.scopes = {
        name: (path, None if kind is None else kinds.setdefault(kind, rebuild.scope_type(kind)))
        for name, (path, kind) in record.get("node_scope", {}).items()
    }
    for item in record["graph"]:
        rebuild.Replay.scopes.setdefault(item["name"], ("", None))
    return root


def batches(file, record):
    """By batch, a tensor a placeholder."""
    named = torch_objects.read_safetensors(file)
    inputs = [item["name"] for item in record["graph"] if item["op"] == "placeholder"]
    count = 1 + max((int(name.split(".")[0]) for name in named), default=-1)
    return [[named[f"{batch}.{name}"] for name in inputs] for batch in range(count)]


def observer_record(observer):
    if isinstance(observer, torch.ao.quantization.FakeQuantizeBase):
        outer, observer = observer, observer.activation_post_process
    else:
        outer = observer
    attrs = {"dtype": {"dt": str(observer.dtype)}, "is_dynamic": bool(observer.is_dynamic)}
    for name in ("quant_min", "quant_max"):
        if getattr(observer, name, None) is not None:
            attrs[name] = getattr(observer, name)
    buffers = {
        name: values.tensor(getattr(observer, name))
        for name in ("min_val", "max_val")
        if isinstance(getattr(observer, name, None), torch.Tensor)
    }
    try:
        scale, zero_point = observer.calculate_qparams()[:2]
        buffers["scale"], buffers["zero_point"] = values.tensor(scale), values.tensor(zero_point)
    except Exception:  # noqa: BLE001 - a class without parameters
        pass
    kind = type(outer)
    return {
        "type": f"{kind.__module__}.{kind.__qualname__}", "training": False,
        "attrs": attrs, "params": {}, "buffers": buffers,
    }


def recurrent_attributes(module):
    """What the reference classes of recurrent modules keep of their weights."""
    if not isinstance(module, (reference_rnn.RNNCellBase, reference_rnn.RNNBase)):
        return {}
    kept = {"is_decomposed": module.is_decomposed}
    for name in module._parameters:
        for what in ("qscheme", "dtype"):
            if hasattr(module, f"{name}_{what}"):
                kept[f"{name}_{what}"] = str(getattr(module, f"{name}_{what}"))
        if hasattr(module, f"{name}_axis_int"):
            kept[f"{name}_axis_int"] = getattr(module, f"{name}_axis_int")
    return kept


def module_record(module):
    if values._is_observer(module):
        return observer_record(module)
    record = {"type": names.type_name(type(module)), "training": False,
              "attrs": {**values._attributes(module), **recurrent_attributes(module)}}
    for key, table in (("params", module._parameters), ("buffers", module._buffers)):
        record[key] = {
            name: None if item is None else values.tensor(item) for name, item in table.items()
        }
    children = {name: module_record(child) for name, child in module._modules.items()
                if child is not None}
    if children:
        record["children"] = children
    return record


def graph_record(module):
    modules, first = {}, {}
    for node in module.graph.nodes:
        if node.op != "call_module" or node.target in modules:
            continue
        called = module.get_submodule(node.target)
        if id(called) in first:
            modules[node.target] = {"same_as": first[id(called)]}
        else:
            first[id(called)] = node.target
            modules[node.target] = module_record(called)
    return {"format": "qconform.graph/1", "graph": values.graph(module.graph),
            "modules": modules, "attrs": values.attributes(module)}


def answer(folder, configs):
    request = json.loads((folder / "request.json").read_text())
    record = json.loads((folder / request["graph"]).read_text())
    tensors = record.get("tensors", {}).get("file")
    named = torch_objects.read_safetensors(folder / tensors) if tensors else {}
    path = (folder / request["backend_config"]).resolve()
    if path not in configs:
        configs[path] = torch_objects.backend_config(json.loads(path.read_text()))
    is_qat = request["is_qat"]
    torch.backends.quantized.engine = request["engine"]
    stage = "prepare"
    try:
        mapping = observers.mapping_from_json(
            json.loads((folder / request["qconfig_mapping"]).read_text()))
        model = build(record, named, is_qat)
        prepare = quantize_fx.prepare_qat_fx if is_qat else quantize_fx.prepare_fx
        prepared = prepare(model, mapping, (), backend_config=configs[path])
        stage = "calibrate"
        if is_qat:
            prepared.train().apply(torch.ao.quantization.disable_fake_quant)
        if "calibration" in request:
            with torch.no_grad():
                for batch in batches(folder / request["calibration"], record):
                    prepared(*batch)
        prepared.eval().apply(torch.ao.quantization.enable_fake_quant)
        # Once: observers are written as they are before convert.
        (folder / "prepared.graph.json").write_text(json.dumps(graph_record(prepared)))
        stage = "convert"
        reference = quantize_fx.convert_to_reference_fx(prepared, backend_config=configs[path])
        (folder / "reference.graph.json").write_text(json.dumps(graph_record(reference)))
    except Exception as error:  # noqa: BLE001 - the refusal is the answer
        text = str(error).split("\nOriginal traceback")[0]
        (folder / "refusal.json").write_text(json.dumps(
            {"stage": stage, "error": type(error).__name__, "message": text[:300]}))
    (folder / "done").write_text("")


def digest(folder):
    """Of all that torch is told."""
    total = hashlib.sha256((folder.parent / "backend_config.json").read_bytes())
    for file in sorted(folder.iterdir()):
        data = file.read_bytes()
        if file.name == "request.json":
            request = json.loads(data)
            del request["mode"]
            data = json.dumps(request).encode()
        total.update(f"{file.name} {len(data)} ".encode() + data)
    return total.hexdigest()


def kept_answer(folder, configs, kept):
    room = kept / digest(folder)
    if not room.exists():
        answer(folder, configs)
        partial = kept / f"{room.name}.partial"
        partial.mkdir(parents=True, exist_ok=True)
        for name in ANSWERS:
            if (folder / name).exists():
                shutil.copy(folder / name, partial)
        partial.rename(room)
        return
    for file in room.iterdir():
        shutil.copy(file, folder)
    (folder / "done").write_text("")


def main():
    torch.set_num_threads(1)
    quantize_fx.QuantizationTracer = rebuild.Replay
    kept = pathlib.Path(sys.argv[2]) if sys.argv[1] == "--answers" else None
    configs = {}
    for folder in sorted(pathlib.Path(sys.argv[-1]).iterdir()):
        if folder.is_dir() and not (folder / "done").exists():
            if kept is None:
                answer(folder, configs)
            else:
                kept_answer(folder, configs, kept)


if __name__ == "__main__":
    main()
