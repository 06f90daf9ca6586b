"""Makes records again from the definitions inside other records, and compares them.

rebuild.py FOLDER [NAME]: reads FOLDER/fx/*.json (records of this format, from whoever made
them), builds each float model again from its graph, modules and tensors, runs torch on it
and reports every difference in what torch must do the same way each time.
"""

import argparse
import base64
import json
import math
import pathlib
import re
import sys
import warnings

import torch
from records import names, observers, pipeline
from torch.ao.quantization import quantize_fx
from torch.ao.quantization.fx.custom_config import PrepareCustomConfig

warnings.simplefilter("ignore")
# May differ in the last bits between builds of the linear algebra library.
TOLERANCE = 1e-5


def tensor(record):
    dtype = getattr(torch, record["dtype"])
    quantized = {torch.quint8: torch.uint8, torch.qint8: torch.int8, torch.qint32: torch.int32}
    raw = bytearray(base64.b64decode(record["b64"]))
    plain = quantized.get(dtype, dtype)
    flat = torch.frombuffer(raw, dtype=plain) if raw else torch.zeros(0, dtype=plain)
    value = flat.reshape(record["shape"])
    if dtype in quantized and "scale" in record:
        return torch._make_per_tensor_quantized_tensor(
            value, record["scale"], record["zero_point"])
    return value.clone()


def value(record):
    if isinstance(record, dict):
        if "b64" in record:
            return tensor(record)
        if "t" in record:
            return tuple(value(item) for item in record["t"])
        if "l" in record:
            return [value(item) for item in record["l"]]
        if "d" in record:
            return {key: value(item) for key, item in record["d"].items()}
        if "dt" in record:
            return getattr(torch, record["dt"].removeprefix("torch."))
        if "sl" in record:
            return slice(*map(value, record["sl"]))
    if record in ("Infinity", "-Infinity", "NaN"):
        return float(record)
    return record


def argument(record, nodes):
    if isinstance(record, dict):
        if "n" in record:
            return nodes[record["n"]]
        for key, kind in (("t", tuple), ("l", list)):
            if key in record:
                return kind(argument(item, nodes) for item in record[key])
        if "d" in record:
            return {key: argument(item, nodes) for key, item in record["d"].items()}
        if "sl" in record:
            return slice(*[argument(item, nodes) for item in record["sl"]])
    return value(record)


CONSTRUCTOR_NAMES = """in_channels out_channels kernel_size stride padding dilation groups
padding_mode output_padding in_features out_features num_features eps momentum affine track_running_stats
num_groups num_channels normalized_shape elementwise_affine output_size count_include_pad
ceil_mode divisor_override return_indices hidden_size input_size num_layers batch_first
bidirectional num_embeddings embedding_dim padding_idx max_norm norm_type include_last_offset
num_parameters negative_slope inplace dim alpha min_val max_val p upscale_factor
downscale_factor start_dim end_dim scale_factor size align_corners mode""".split()


def module(record):
    kind = names.find(record["type"]) if "." in record["type"] else None
    if kind is None:
        raise NotImplementedError(record["type"])
    import inspect

    accepted = inspect.signature(kind.__init__).parameters
    if kind in (torch.nn.LSTM, torch.nn.GRU):
        accepted = CONSTRUCTOR_NAMES
    kwargs = {
        key: value(item)
        for key, item in record["attrs"].items()
        if key in accepted and key in CONSTRUCTOR_NAMES and not (key == "mode" and "LSTM" == item)
    }
    if "bias" in accepted and record["params"]:
        kwargs["bias"] = any(key.startswith("bias") for key in record["params"])
    result = kind(**kwargs)
    for table, stored in ((result._parameters, "params"), (result._buffers, "buffers")):
        for key, item in record[stored].items():
            made = tensor(item)
            table[key] = torch.nn.Parameter(made) if stored == "params" else made
    return result.train(record["training"])


def place(root, path, item, parameter=False):
    *parents, last = path.split(".")
    for parent in parents:
        if not hasattr(root, parent):
            setattr(root, parent, torch.nn.Module())
        root = getattr(root, parent)
    if isinstance(item, torch.Tensor):
        root.register_buffer(last, item)
    else:
        setattr(root, last, item)


def scope_type(name):
    return type(name, (torch.nn.Module,), {}) if "." not in name else names.find(name)


class Replay(quantize_fx.QuantizationTracer):
    """Gives back a stored graph with its scopes instead of tracing."""

    stored = None
    scopes = None

    def trace(self, root, *args, **kwargs):
        if not hasattr(root, "is_replayed"):
            return super().trace(root, *args, **kwargs)
        self.root = root
        self.node_name_to_scope = Replay.scopes
        self.record_stack_traces = True
        graph = torch.fx.Graph(tracer_cls=quantize_fx.QuantizationTracer)
        nodes = {}
        for item in Replay.stored:
            target = item["target"]
            if item["op"] == "call_function":
                target = names.find(target)
            arguments = tuple(argument(part, nodes) for part in item["args"])
            kwargs = {key: argument(part, nodes) for key, part in item["kwargs"].items()}
            if item["op"] == "output":
                graph.output(arguments[0])
                continue
            made = graph.create_node(item["op"], target, arguments, kwargs, name=item["name"])
            nodes[item["name"]] = made
        return graph


def case(record):
    root = torch.nn.Module()
    for path, item in record["float"]["modules"].items():
        place(root, path, module(item))
    for path, item in record["float"]["attrs"].items():
        place(root, path, tensor(item))
    root.is_replayed = True
    root.training = record["kind"] == "fx_qat"
    Replay.stored = record["float"]["graph"]
    types = {}
    Replay.scopes = {
        name: (path, None if kind is None else types.setdefault(kind, scope_type(kind)))
        for name, (path, kind) in record["float"]["node_scope"].items()
    }
    config = None
    custom = record.get("prepare_custom_config")
    if custom:
        config = PrepareCustomConfig()
        for key, item in custom.items():
            getattr(config, f"set_{key}")(item)
    lowered = record.get("lowered", {})
    result = pipeline.Case(
        name=record["name"], model=root, seed=record["seed"], note=record["note"],
        inputs=[[value(x) for x in b] for b in record["calibration_inputs"]]
        + [[value(x) for x in record["test_input"]]],
        mapping=observers.mapping_from_json(record["qconfig_mapping"]),
        backend_config=record["backend_config"], is_qat=record["kind"] == "fx_qat",
        custom_config=config, custom_json=custom, keep_mode=True,
        stages=tuple(s for s in ("reference", "decomposed", "lowered") if s in record),
        engines=tuple(lowered) or ("fbgemm",))
    if "convert_qconfig_mapping" in record:
        result.convert_mapping = observers.mapping_from_json(record["convert_qconfig_mapping"])
    return result


def differences(got, want, path=""):
    """Every place where two records differ by more than a rounding."""
    if isinstance(want, dict) and "b64" in want and isinstance(got, dict) and "b64" in got:
        if got["b64"] == want["b64"] and got["shape"] == want["shape"]:
            return
        if got["dtype"] == want["dtype"] and got["shape"] == want["shape"]:
            a, b = (torch.nan_to_num(tensor({**t, "scale": 1.0, "zero_point": 0}).to(
                torch.float64) if not t["dtype"].startswith("q") else tensor(
                    {**t, "dtype": t["dtype"][1:]}).to(torch.float64)) for t in (got, want))
            if float((a - b).abs().max()) <= TOLERANCE * max(1.0, float(b.abs().max())):
                return
        yield path, got, want
    elif isinstance(want, dict) and isinstance(got, dict):
        for key in {**want, **got}:
            if key not in got or key not in want:
                yield f"{path}/{key}", got.get(key, "missing"), want.get(key, "missing")
            else:
                yield from differences(got[key], want[key], f"{path}/{key}")
    elif isinstance(want, list) and isinstance(got, list):
        if len(got) != len(want):
            yield path, f"{len(got)} items", f"{len(want)} items"
        for index, (a, b) in enumerate(zip(got, want)):
            yield from differences(a, b, f"{path}/{index}")
    elif isinstance(want, float) and isinstance(got, (int, float)):
        if not math.isclose(got, want, rel_tol=TOLERANCE, abs_tol=1e-12):
            yield path, got, want
    elif got != want:
        yield path, got, want


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--lines", type=int, default=3)
    parser.add_argument("--same-engine", action="store_true",
                        help="compare integer outputs too; they depend on the processor")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    quantize_fx.QuantizationTracer = Replay
    equal = total = 0
    for path in sorted((arguments.folder / "fx").glob("*.json")):
        if arguments.name not in path.stem:
            continue
        record = json.loads(path.read_text())
        try:
            made = case(record)
        except (NotImplementedError, AttributeError, TypeError) as error:
            print(f"{record['name']}: cannot be built again: {pipeline.error_text(error)}")
            continue
        if not isinstance(record["backend_config"], str):
            print(f"{record['name']}: has a backend config of its own")
            continue
        total += 1
        found = [
            item for item in differences(pipeline.make_record(made), record)
            if arguments.same_engine or not re.match("/lowered/[a-z0-9]+/output", item[0])
        ]
        equal += not found
        for where, got, want in found[: arguments.lines]:
            print(f"{record['name']}: {where}: got {str(got)[:150]}, want {str(want)[:150]}")
        sys.stdout.flush()
    print(f"{equal} of {total} equal")
    return 0 if equal == total else 1


if __name__ == "__main__":
    sys.exit(main())
