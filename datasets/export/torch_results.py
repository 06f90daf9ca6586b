"""What torch itself makes of an exported model: recorded beside it, to be compared with."""

import copy
import hashlib
import json
import warnings

import torch
from export_graph import public_name
from torch.ao.quantization import get_default_qconfig_mapping, quantize_fx
from torch.ao.quantization.backend_config import qnnpack, x86

warnings.filterwarnings("ignore")
CONFIGS = {"x86": x86.get_x86_backend_config, "qnnpack": qnnpack.get_qnnpack_backend_config}


def reference_model(module, config, calibration):
    """convert_to_reference_fx with torch's default mapping, after one pass over the batches."""
    torch.backends.quantized.engine = config
    mapping = get_default_qconfig_mapping(config)
    prepared = quantize_fx.prepare_fx(
        copy.deepcopy(module).eval(), mapping, (calibration[0],), backend_config=CONFIGS[config]()
    )
    with torch.no_grad():
        for batch in calibration:
            prepared(batch)
    return quantize_fx.convert_to_reference_fx(prepared, backend_config=CONFIGS[config]())


def graph_record(reference):
    """Per node its name and target; per quantize node also scale and zero point."""
    nodes = []
    for node in reference.graph.nodes:
        target = public_name(node.target) if node.op == "call_function" else node.target
        record = {"name": node.name, "op": node.op, "target": target}
        if target == "torch.quantize_per_tensor":
            record["scale"] = getattr(reference, node.args[1].target).item()
            record["zero_point"] = getattr(reference, node.args[2].target).item()
        nodes.append(record)
    return nodes


def digest(tensor):
    return hashlib.sha256(tensor.detach().contiguous().numpy().tobytes()).hexdigest()


def as_text(results):
    """JSON with one node or number list a line."""
    return as_lines_of(results, "") + "\n"


def as_lines_of(value, indent):
    text = json.dumps(value)
    if len(text) + len(indent) <= 100 or not isinstance(value, (dict, list)):
        return text
    inner = indent + " "
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {as_lines_of(item, inner)}" for key, item in value.items()]
        return "{\n" + ",\n".join(inner + item for item in items) + "\n" + indent + "}"
    items = [as_lines_of(item, inner) for item in value]
    return "[\n" + ",\n".join(inner + item for item in items) + "\n" + indent + "]"
