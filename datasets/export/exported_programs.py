"""Writes .pt2 archives of torch.export.save and what torch reads from each.

    python datasets/export/exported_programs.py [--large DIR] [--check PROGRAM]

needs torch 2.14.1 (--large also torchvision) and writes the same bytes every time. Without
options: reference/exported/testdata/NAME.pt2, weights from seeded_weights.py, and NAME.json, the
graph of torch.export.load(NAME.pt2).module() with its metadata and digests of its tensors;
reference/exported/program_record.h describes it; and of some the seeds of `./dev fuzz`. --large writes whole networks so into DIR.
--check compares instead what PROGRAM (reference/exported/print_program) prints for each.
"""

import argparse
import hashlib
import json
import pathlib
import subprocess
import sys
import warnings
import zipfile

import exported_models
import safetensors_file
import seeded_weights
import torch
from records import names, values
from torch.export import Dim

FILL = "kaiming.1"
ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "reference" / "exported" / "testdata"
# Random in training, or the same as another's.
WITHOUT_OUTPUTS = ("training", "written")
SEEDS = ROOT / "datasets" / "fuzz"


def filled(module, training=False):
    """Seeded weights; buffers that a module made itself stay as they are."""
    with torch.no_grad():
        for path, tensor in module.named_parameters():
            made = seeded_weights.tensor_values(FILL, path, tuple(tensor.shape))
            tensor.copy_(torch.from_numpy(made))
        for path, tensor in module.named_buffers():
            if path.rsplit(".", 1)[-1] in ("running_mean", "running_var"):
                made = seeded_weights.tensor_values(FILL, path, tuple(tensor.shape))
                tensor.copy_(torch.from_numpy(made))
    return module.train(training)


def batch(*shape, index=0):
    return seeded_weights.input_batch(FILL, index, shape)


def small_cases():
    """Name to (module, args, kwargs, options of torch.export.export)."""
    image, rows = (batch(2, 3, 6, 6),), (batch(3, 4),)
    size = Dim("size", min=2, max=64)
    nested = {"a": batch(3, 4), "b": (batch(4), batch(2, 2))}
    plain = {
        "constants": (exported_models.Constants(), rows, {}, {}),
        "several": (exported_models.Several(), (batch(2, 4, 3, 4),), {}, {}),
        "sizes": (
            exported_models.Sizes(),
            (batch(4, 12), batch(5, 3)),
            {},
            {"dynamic_shapes": ({0: size}, {0: size + 1})},
        ),
    }
    cases = {
        "chain": (exported_models.Chain(), image, {}, {}),
        "residual": (exported_models.Residual(), image, {}, {}),
        "tied": (exported_models.Tied(), rows, {}, {}),
        "attention": (exported_models.Attention(), (batch(2, 3, 8),), {}, {}),
        "structures": (exported_models.Structures(), (batch(3, 4), nested), {"factor": 3}, {}),
        "functional": (
            exported_models.Functional(),
            (batch(2, 3, 8), torch.tensor([1, 4])),
            {},
            {},
        ),
        "dynamic": (
            exported_models.Residual(),
            image,
            {},
            {"dynamic_shapes": ({0: size},)},
        ),
    }
    return {
        **{name: (*case, False) for name, case in {**plain, **cases}.items()},
        **{f"{name}_strict": (*case, True) for name, case in cases.items()},
    }


def export(module, args, kwargs, options, strict):
    return torch.export.export(module, args, kwargs, strict=strict, **options)


def programs():
    for name, (module, args, kwargs, options, strict) in small_cases().items():
        yield name, export(filled(module), args, kwargs, options, strict)
    training = filled(exported_models.Counting(), training=True)
    yield "training", export(training, (batch(3, 4),), {}, {}, False)
    program = export(filled(exported_models.Counting()), (batch(3, 4),), {}, {}, False)
    yield "written", program.run_decompositions({})
    program = export(filled(exported_models.Residual()), (batch(2, 3, 6, 6),), {}, {}, False)
    yield "weightless", program


def repack(source, target, keep_weights):
    """Either with weights and without what the reader leaves closed, or compressed and without
    bytes of weights, as if exported under FakeTensorMode."""
    with zipfile.ZipFile(source) as archive:
        members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in members:
            if keep_weights and ("/data/sample_inputs/" in name or "/.data/" in name):
                continue
            empty = not keep_weights and "/data/weights/weight_" in name
            method = zipfile.ZIP_STORED if keep_weights else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name), b"" if empty else data, method)


def write_seeds():
    """What fits into the inputs of the fuzz targets."""
    (SEEDS / "pt2").mkdir(parents=True, exist_ok=True)
    (SEEDS / "program_json").mkdir(parents=True, exist_ok=True)
    for name in ("tied", "sizes"):
        with zipfile.ZipFile(FOLDER / f"{name}.pt2") as archive:
            text = archive.read(f"{name}/models/model.json")
        (SEEDS / "program_json" / f"{name}.json").write_bytes(text)
    repack(FOLDER / "tied.pt2", SEEDS / "pt2" / "tied.pt2", keep_weights=True)
    repack(FOLDER / "weightless.pt2", SEEDS / "pt2" / "weightless.pt2", keep_weights=False)


def large_programs():
    import export_crepe
    import torchvision

    image = torch.rand(1, 3, 224, 224)
    for name in ("resnet18", "resnet50", "mobilenet_v2", "vit_b_16"):
        module = getattr(torchvision.models, name)(weights=None).eval()
        seeded_weights.fill_module(module, FILL)
        for strict in (False, True):
            suffix = "_strict" if strict else ""
            yield name + suffix, export(module, (image,), {}, {}, strict)
    yield "crepe_tiny", export(export_crepe.Pitch(export_crepe.load_crepe()), (torch.rand(2, 1024),), {}, {}, False)
    yield "o_net", export(filled(exported_models.OutputNet()), (torch.rand(2, 3, 48, 48),), {}, {}, True)
    layer = torch.nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
    yield "encoder", export(filled(torch.nn.TransformerEncoder(layer, 2)), (batch(2, 5, 16),), {}, {}, False)


def reproducible(program):
    """Without what differs from run to run: addresses, files and lines."""
    seen = {}
    for node in program.graph.nodes:
        for key in ("stack_trace", "from_node"):
            node.meta.pop(key, None)
        stack = node.meta.get("nn_module_stack", {})
        node.meta["nn_module_stack"] = {
            key if key == "L__self__" else f"m{seen.setdefault(key, len(seen))}": value
            for key, value in stack.items()
        }
    return program


def save(program, path):
    torch.export.save(reproducible(program), path)
    if path.stem.startswith("weightless"):
        repack(path, path, keep_weights=False)


def size_text(size):
    return size if isinstance(size, int) else str(size)


def value_record(value):
    if isinstance(value, torch.Tensor):
        dtype = str(value.dtype).removeprefix("torch.")
        return {"dtype": dtype, "shape": [size_text(size) for size in value.shape]}
    if isinstance(value, (tuple, list)):
        return {"tuple": [value_record(item) for item in value if isinstance(item, torch.Tensor)]}
    if isinstance(value, torch.SymInt):
        return "symbol"
    return None


def source_name(source):
    if isinstance(source, type):
        return f"{source.__module__}.{source.__qualname__}"
    return source if isinstance(source, str) else names.function_name(source)


def node_record(node):
    target = node.target if isinstance(node.target, str) else names.function_name(node.target)
    record = {
        "name": node.name,
        "op": node.op,
        "target": target,
        "args": [values.argument(argument) for argument in node.args],
        "kwargs": {key: values.argument(value) for key, value in node.kwargs.items()},
        "stack": [list(frame) for frame in (node.meta.get("nn_module_stack") or {}).values()],
        "source": [[name, source_name(source)] for name, source in node.meta.get("source_fn_stack", ())],
        "torch_fn": list(node.meta["torch_fn"]) if "torch_fn" in node.meta else None,
        "value": value_record(node.meta.get("val")),
        "users": [user.name for user in node.users],
    }
    return record


def tensor_record(tensor):
    data = tensor.detach().contiguous().numpy().tobytes()
    return {
        "dtype": str(tensor.dtype).removeprefix("torch."),
        "shape": list(tensor.shape),
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def program_record(path):
    program = torch.export.load(path)
    module = program.module()
    lifted = [spec for spec in program.graph_signature.input_specs if spec.target is not None]
    attributes = {node.target: node.name for node in module.graph.nodes if node.op == "get_attr"}
    kinds = {"PARAMETER": "parameter", "BUFFER": "buffer", "CONSTANT_TENSOR": "constant"}
    state = {**program.state_dict, **program.constants}
    return {
        "nodes": [node_record(node) for node in module.graph.nodes],
        "attributes": {
            spec.target: {
                "kind": kinds[spec.kind.name],
                "node": attributes[spec.target],
                **tensor_record(state[spec.target]),
            }
            for spec in lifted
        },
        "symbols": {
            str(symbol): [int(bounds.lower), int(bounds.upper)]
            for symbol, bounds in program.range_constraints.items()
        },
    }


def write_outputs(path):
    """What the program gives: input.N, output.N in float64, and bound.N, torch's own float32 error.

    Sums may be taken in any order, and functions rounded either way, as long as the result is as
    good as torch's: within 4 times torch's largest error against float64, and half a unit in the
    last place of the largest element beside."""
    program = torch.export.load(path)
    args, kwargs = program.example_inputs
    leaves = torch.utils._pytree.tree_leaves((args, kwargs))
    if not all(isinstance(leaf, torch.Tensor) for leaf in leaves):
        return
    outputs = torch.utils._pytree.tree_leaves(program.module()(*args, **kwargs))
    double = program.module().double()
    for name, value in vars(double).items():
        if isinstance(value, torch.Tensor) and value.is_floating_point():
            setattr(double, name, value.double())

    for node in [node for node in double.graph.nodes if "_assert" in str(node.target)]:
        double.graph.erase_node(node)
    double.recompile()

    def widened(leaf):
        return leaf.double() if leaf.is_floating_point() else leaf

    exact = torch.utils._pytree.tree_leaves(
        double(*torch.utils._pytree.tree_map(widened, args))
    )
    tensors = {f"input.{i}": leaf for i, leaf in enumerate(leaves)}
    for i, (output, best) in enumerate(zip(outputs, exact)):
        best = best.detach().double()
        error = (output.detach().double() - best).abs().max().item()
        last_place = 2.0**-24 * best.abs().max().item()
        tensors[f"output.{i}"] = best
        tensors[f"bound.{i}"] = torch.tensor([4 * error + last_place], dtype=torch.float64)
    safetensors_file.write(path.with_suffix(".safetensors"), tensors)


def as_lines(record):
    """One node and one attribute a line."""

    def block(entries):
        return ",\n".join(f"  {entry}" for entry in entries)

    nodes = block(json.dumps(node) for node in record["nodes"])
    items = record["attributes"].items()
    attributes = block(f"{json.dumps(path)}: {json.dumps(value)}" for path, value in items)
    return (
        f'{{\n"nodes": [\n{nodes}\n],\n"attributes": {{\n{attributes}\n}},\n'
        f'"symbols": {json.dumps(record["symbols"])}\n}}\n'
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", type=pathlib.Path)
    parser.add_argument("--check", type=pathlib.Path)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    folder = options.large or FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    differing = 0
    for name, program in large_programs() if options.large else programs():
        path = folder / f"{name}.pt2"
        if not options.check or options.large and not path.exists():
            save(program, path)
            (folder / f"{name}.json").write_text(as_lines(program_record(path)))
            if name != "weightless" and name not in WITHOUT_OUTPUTS:
                write_outputs(path)
        if options.check:
            printed = subprocess.run([options.check, path], capture_output=True, text=True)
            expected = json.loads((folder / f"{name}.json").read_text())
            same = printed.returncode == 0 and json.loads(printed.stdout) == expected
            differing += not same
            print(f"{name}: {'equal' if same else 'DIFFERS ' + printed.stderr}", flush=True)
    if not options.large and not options.check:
        write_seeds()
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
