"""Tensors, modules and backend configs of torch from the JSON of qconform."""

import inspect
import json
import struct

import rebuild
import torch
import torch.ao.quantization.backend_config as backend_configs
import torch.ao.quantization.backend_config.onednn  # noqa: F401 - its functions are named
from records import names
from torch.ao.quantization import fuser_method_mappings
from torch.ao.quantization.backend_config import (
    BackendPatternConfig,
    DTypeConfig,
    DTypeWithConstraints,
    ObservationType,
)

DTYPES = {
    "F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "I64": torch.int64,
    "I32": torch.int32, "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8,
    "BOOL": torch.bool,
}


def read_safetensors(file):
    data = bytearray(file.read_bytes())
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    result = {}
    for name, item in header.items():
        if name == "__metadata__":
            continue
        begin, end = item["data_offsets"]
        raw = data[8 + length + begin:8 + length + end]
        flat = torch.frombuffer(raw, dtype=DTYPES[item["dtype"]]) if raw else torch.zeros(0)
        result[name] = flat.reshape(item["shape"]).clone()
    return result


def tensor(record, named):
    return named[record["tensor"]] if "tensor" in record else rebuild.tensor(record)


def module(record, named):
    kind = names.find(record["type"])
    children = [module(child, named) for child in record.get("children", {}).values()]
    if children:
        # A fused module takes its parts; the additions of torch's two classes are functions.
        if "ConvAdd" in record["type"]:
            children.insert(1, torch.add)
        return kind(*children).train(record["training"])
    attrs = {key: rebuild.value(item) for key, item in record["attrs"].items()}
    accepted = inspect.signature(kind.__init__).parameters
    if kind in (torch.nn.LSTM, torch.nn.GRU):
        accepted = [key for key in rebuild.CONSTRUCTOR_NAMES if key != "mode"]
    kwargs = {key: item for key, item in attrs.items()
              if key in accepted and key in rebuild.CONSTRUCTOR_NAMES}
    if issubclass(kind, torch.nn.ConstantPad2d):
        kwargs["value"] = 0.0
    if kind is torch.nn.EmbeddingBag:
        kwargs["mode"] = attrs["mode"]
    parameters = {key: item for key, item in record["params"].items() if item is not None}
    if "bias" in accepted and record["params"]:
        kwargs["bias"] = any(key.startswith("bias") for key in parameters)
    result = kind(**kwargs)
    for key, item in parameters.items():
        result._parameters[key] = torch.nn.Parameter(tensor(item, named))
    for key, item in record["buffers"].items():
        if item is not None:
            result._buffers[key] = tensor(item, named)
    return result.train(record["training"])


def pattern(record):
    if isinstance(record, list):
        return tuple(pattern(part) for part in record)
    if isinstance(record, dict):
        return record["lit"]
    return names.find(record)


def function(name):
    """A fuser or getter by the name that configs give it."""
    if name.endswith(")"):
        outer, inner = name[:-1].split("(", 1)
        return getattr(fuser_method_mappings, outer)(function(inner))
    if "<locals>" in name:
        return LOCAL_FUNCTIONS[name]
    return names.find(name)


def local_functions():
    """Functions that exist only inside torch's own configs."""
    from torch.ao.quantization.backend_config import _qnnpack_pt2e

    result = {}
    for entry in _qnnpack_pt2e.get_qnnpack_pt2e_backend_config().configs:
        getter = entry._root_node_getter
        if getter is not None:
            result[f"{getter.__module__}.{getter.__qualname__}"] = getter
    return result


LOCAL_FUNCTIONS = local_functions()


def dtype_config(record):
    def constrained(item):
        if item is None:
            return DTypeWithConstraints()
        fields = {key: value for key, value in item.items() if key != "dtype"}
        dtype = item.get("dtype")
        return DTypeWithConstraints(None if dtype is None else rebuild.value({"dt": dtype}),
                                    **fields)

    bias = record.get("bias_dtype")
    return DTypeConfig(
        input_dtype=constrained(record.get("input_dtype")),
        output_dtype=constrained(record.get("output_dtype")),
        weight_dtype=constrained(record.get("weight_dtype")),
        bias_dtype=None if bias is None else rebuild.value({"dt": bias}),
        is_dynamic=record.get("is_dynamic"),
    )


def entry(record):
    result = BackendPatternConfig()
    if "pattern" in record:
        result.set_pattern(pattern(record["pattern"]))
    if "pattern_complex_format" in record:
        result._set_pattern_complex_format(pattern(record["pattern_complex_format"]))
    if "observation_type" in record:
        result.set_observation_type(ObservationType[record["observation_type"]])
    result.set_dtype_configs([dtype_config(item) for item in record.get("dtype_configs", [])])
    for key, setter in (
        ("root_module", result.set_root_module),
        ("qat_module", result.set_qat_module),
        ("reference_quantized_module_for_root", result.set_reference_quantized_module),
        ("fused_module", result.set_fused_module),
    ):
        if key in record:
            setter(names.find(record[key]))
    for key, setter in (
        ("fuser_method", result.set_fuser_method),
        ("root_node_getter", result._set_root_node_getter),
        ("extra_inputs_getter", result._set_extra_inputs_getter),
    ):
        if key in record:
            setter(function(record[key]))
    if "num_tensor_args_to_observation_type" in record:
        result._set_num_tensor_args_to_observation_type({
            int(count): ObservationType[kind]
            for count, kind in record["num_tensor_args_to_observation_type"].items()})
    if "input_type_to_index" in record:
        result._set_input_type_to_index(record["input_type_to_index"])
    return result


def backend_config(record):
    return backend_configs.BackendConfig(record.get("name", "")).set_backend_pattern_configs(
        [entry(item) for item in record["configs"]])
