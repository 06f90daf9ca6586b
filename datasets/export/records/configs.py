"""BackendConfigs as JSON (torch's to_dict keys), and back."""

import torch
import torch.ao.quantization.backend_config.utils as config_utils
from records import names
from torch.ao.quantization.backend_config import DTypeWithConstraints

CONSTRAINTS = (
    "quant_min_lower_bound quant_max_upper_bound scale_min_lower_bound "
    "scale_max_upper_bound scale_exact_match zero_point_exact_match"
).split()


def constrained(value):
    record = {"dtype": None if value.dtype is None else str(value.dtype)}
    for name in CONSTRAINTS:
        if getattr(value, name) is not None:
            record[name] = getattr(value, name)
    return record


def dtype_config(value):
    record = {}
    for key, item in value.to_dict().items():
        if isinstance(item, DTypeWithConstraints):
            record[key] = constrained(item)
        else:
            record[key] = str(item) if isinstance(item, torch.dtype) else item
    return record


def callable_name(function):
    """Wrapped fusers are told apart by what they wrap."""
    if isinstance(function, type):
        return names.type_name(function)
    closure = getattr(function, "__closure__", None) or ()
    wrapped = [cell.cell_contents for cell in closure if callable(cell.cell_contents)]
    outer = function.__qualname__.split(".<locals>")[0]
    if wrapped and outer in ("_sequential_wrapper2", "_reverse2", "_reverse3"):
        return f"{outer}({callable_name(wrapped[0])})"
    room = function.__module__
    if room.startswith("torch"):
        return f"{room}.{function.__qualname__}"
    return function.__qualname__


def entry(value):
    """One BackendPatternConfig."""
    record = {}
    for key, item in value.to_dict().items():
        if key == "observation_type":
            item = item.name
        elif key == "dtype_configs":
            item = [dtype_config(config) for config in value.dtype_configs]
        elif key in ("pattern", "pattern_complex_format"):
            item = names.pattern(item)
        elif key == "num_tensor_args_to_observation_type":
            item = {str(count): kind.name for count, kind in item.items()}
        elif key in ("fuser_method", "root_node_getter", "extra_inputs_getter"):
            item = callable_name(item)
        elif key.endswith("_module") or key == "reference_quantized_module_for_root":
            item = names.type_name(item)
        record[key] = item
    record["_internal_key"] = names.pattern(
        config_utils._get_pattern_in_reversed_nested_tuple_format(value)
    )
    return record


def backend_config(value):
    return {"name": value.name, "configs": [entry(item) for item in value.configs]}
