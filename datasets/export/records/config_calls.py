"""Calls of the config classes, and qconfigs held against random constraints."""

import dataclasses
import operator
import random
import warnings

import torch
import torch.ao.nn.intrinsic as nni
import torch.ao.nn.qat as nnqat
import torch.ao.nn.quantized.reference as nnqr
import torch.ao.quantization.quantize_fx  # noqa: F401 - backend_config needs it imported
import torch.nn.functional as F
from records import configs, names
from torch import nn
from torch.ao.quantization import observer as o
from torch.ao.quantization.backend_config import (
    BackendConfig,
    BackendPatternConfig,
    DTypeConfig,
    DTypeWithConstraints,
    ObservationType,
    get_native_backend_config,
    get_onednn_backend_config,
)
from torch.ao.quantization.backend_config import utils, x86
from torch.ao.quantization.fx import custom_config
from torch.ao.quantization.fx.utils import _qconfig_satisfies_dtype_config_constraints
from torch.ao.quantization.qconfig import QConfig
from torch.ao.quantization.utils import MatchAllNode

# Evaluated here as they stand, and in the comparison by a reader of this much Python.
CALLS = """
DTypeWithConstraints(qint8, -127, 127, 2**-12)
DTypeWithConstraints(dtype=torch.quint8, scale_exact_match=1/256, zero_point_exact_match=0)
DTypeWithConstraints(quint8).quant_min_lower_bound
DTypeWithConstraints(qint8, quant_max_upper_bound=127).quant_max_upper_bound
DTypeWithConstraints(quint8, 1, 2, 3.5, 4.5, 5.5, 6)
DTypeWithConstraints(foo=1)
DTypeConfig(quint8, quint8, qint8, float).to_dict()
DTypeConfig(DTypeWithConstraints(quint8,0,255), DTypeWithConstraints(quint8,0,255), DTypeWithConstraints(qint8,-128,127), float, True)
DTypeConfig(None, quint8)
DTypeConfig(weight_dtype=qint8, is_dynamic=False).is_dynamic
DTypeConfig(input_dtype=quint8).output_dtype
DTypeConfig(input_dtype=DTypeWithConstraints(quint8,0,127)).input_dtype
DTypeConfig(input_dtype=DTypeWithConstraints(quint8,0,127)).input_dtype_with_constraints
DTypeConfig(quint8,quint8,qint8,float,True,3)
DTypeConfig(input_type=quint8)
DTypeConfig(float16, float16, float16, float16)
DTypeConfig(quint4x2, torch.float, bias_dtype=None).bias_dtype
DTypeConfig(quint4x2, torch.float, bias_dtype=qint32).bias_dtype
DTypeConfig.from_dict({'input_dtype': quint8, 'output_dtype': DTypeWithConstraints(quint8, 0, 127), 'is_dynamic': True})
DTypeConfig.from_dict({'input_dtype': 3})
DTypeConfig.from_dict({'weight_dtype': [1]})
DTypeConfig.from_dict({'output_dtype': 'quint8'})
DTypeConfig.from_dict(DTypeConfig(quint8, qint8).to_dict())
BackendPatternConfig((nn.Conv2d, nn.ReLU)).set_fused_module(nni.ConvReLU2d).set_fuser_method(nni.ConvReLU2d).to_dict()
BackendPatternConfig(nn.Conv2d).set_root_module(nn.Conv2d).set_qat_module(nnqat.Conv2d).set_reference_quantized_module(nnqr.Conv2d)
BackendPatternConfig(nn.Conv2d).set_observation_type(ObservationType.OUTPUT_SHARE_OBSERVER_WITH_INPUT)
BackendPatternConfig(nn.Conv2d).add_dtype_config(DTypeConfig(quint8)).add_dtype_config(DTypeConfig(qint8)).set_dtype_configs([DTypeConfig(quint4x2)])
BackendPatternConfig(nn.Conv2d).set_dtype_configs([]).add_dtype_config(DTypeConfig(quint8))
len(BackendPatternConfig(nn.Conv2d).add_dtype_config(DTypeConfig()).dtype_configs)
BackendPatternConfig(F.linear)._set_input_type_to_index({'weight': 1, 'bias': 2})
BackendPatternConfig(torch.add)._set_num_tensor_args_to_observation_type({0: ObservationType.INPUT_OUTPUT_NOT_OBSERVED, 1: ObservationType.OUTPUT_SHARE_OBSERVER_WITH_INPUT})
BackendPatternConfig()._set_pattern_complex_format((nn.ReLU, (torch.add, MatchAllNode, (nn.BatchNorm2d, nn.Conv2d)))).set_fuser_method(F.relu)
BackendPatternConfig()._set_pattern_complex_format(nn.ReLU).set_pattern(nn.Linear)
BackendPatternConfig(nn.ReLU)._set_pattern_complex_format(nn.Linear)
BackendPatternConfig(nn.ReLU).set_pattern(None)
BackendPatternConfig(nn.ReLU).set_pattern((nn.Linear, F.relu)).pattern
BackendPatternConfig(nn.ReLU).root_module
BackendPatternConfig(nn.ReLU).observation_type
BackendPatternConfig.from_dict({'pattern': nn.Linear, 'observation_type': ObservationType.INPUT_OUTPUT_NOT_OBSERVED, 'dtype_configs': [DTypeConfig(quint8)], 'qat_module': nnqat.Linear})
BackendPatternConfig.from_dict({'pattern': nn.Linear, 'pattern_complex_format': nn.Linear})
BackendPatternConfig.from_dict({'dtype_configs': ['x']})
BackendPatternConfig.from_dict({'dtype_configs': [None]})
BackendPatternConfig.from_dict({'dtype_configs': [[1]]})
BackendPatternConfig.from_dict({'dtype_configs': [0.5]})
BackendPatternConfig.from_dict(BackendPatternConfig((nn.Linear, nn.ReLU)).set_fuser_method(nni.LinearReLU).to_dict())
BackendConfig('x').name
BackendConfig('x').set_name('y').name
BackendConfig('x').to_dict()
BackendConfig('x').set_backend_pattern_config(BackendPatternConfig((nn.Linear, nn.BatchNorm1d, F.relu)))
BackendConfig('x').set_backend_pattern_config(BackendPatternConfig((nn.Linear, (nn.BatchNorm1d, F.relu))))
BackendConfig('x').set_backend_pattern_config(BackendPatternConfig((nn.Linear,)))
BackendConfig('x').set_backend_pattern_config(BackendPatternConfig())
BackendConfig('x').set_backend_pattern_configs([BackendPatternConfig(nn.Linear), BackendPatternConfig(nn.ReLU), BackendPatternConfig(nn.Linear).add_dtype_config(DTypeConfig(qint8))])
len(BackendConfig('x').set_backend_pattern_configs([BackendPatternConfig(nn.Linear), BackendPatternConfig(nn.ReLU), BackendPatternConfig(nn.Linear)]).configs)
BackendConfig.from_dict({'configs': [BackendPatternConfig(nn.Linear), {'pattern': nn.ReLU}]})
BackendConfig.from_dict({'configs': ['x']})
BackendConfig.from_dict({'name': 'q', 'configs': [{}]})
BackendConfig.from_dict(BackendConfig('z').set_backend_pattern_config(BackendPatternConfig((nn.Linear, nn.ReLU))).to_dict())
len(get_native_backend_config().configs)
get_x86_backend_config().name
len(get_onednn_backend_config().configs)
get_fuser_method_mapping(BackendConfig('x').set_backend_pattern_config(BackendPatternConfig(nn.Linear).set_fuser_method(nni.LinearReLU)))
PrepareCustomConfig().to_dict()
ConvertCustomConfig().to_dict()
FuseCustomConfig().to_dict()
PrepareCustomConfig.from_dict({'input_quantized_idxs': [0, 1], 'preserved_attributes': ['a']})
PrepareCustomConfig.from_dict({'standalone_module_name': [('m', 3, (), None, None)]})
PrepareCustomConfig.from_dict({'standalone_module_name': [('m', None, (), 'x', None)]})
PrepareCustomConfig.from_dict({'standalone_module_class': [('m', None, (), None, 0.5)]})
PrepareCustomConfig.from_dict({'standalone_module_class': [('m', None, (), None, None, None)]})
PrepareCustomConfig.from_dict({'standalone_module_class': [3]})
PrepareCustomConfig.from_dict({'float_to_observed_custom_module_class': {'dynamic': {nn.Linear: nnqat.Linear}}})
PrepareCustomConfig.from_dict({'float_to_observed_custom_module_class': {'Static': {}}})
PrepareCustomConfig.from_dict({'float_to_observed_custom_module_class': {'static': {nn.Linear: nnqat.Linear}}})
ConvertCustomConfig.from_dict({'observed_to_quantized_custom_module_class': {'weight_only': {nn.Linear: nnqat.Linear}, 'static': {nn.Linear: nnqr.Linear}}})
ConvertCustomConfig.from_dict({'observed_to_quantized_custom_module_class': {'q': {}}})
pattern_to_human_readable((nn.ReLU, 'view', MatchAllNode))
remove_boolean_dispatch_from_name(F.max_pool1d)
remove_boolean_dispatch_from_name(F.fractional_max_pool3d)
""".strip().split("\n")

NAMES = {
    "BackendConfig": BackendConfig,
    "BackendPatternConfig": BackendPatternConfig,
    "DTypeConfig": DTypeConfig,
    "DTypeWithConstraints": DTypeWithConstraints,
    "ObservationType": ObservationType,
    "PrepareCustomConfig": custom_config.PrepareCustomConfig,
    "ConvertCustomConfig": custom_config.ConvertCustomConfig,
    "FuseCustomConfig": custom_config.FuseCustomConfig,
    "MatchAllNode": MatchAllNode,
    "F": F,
    "nn": nn,
    "nni": nni,
    "nnqat": nnqat,
    "nnqr": nnqr,
    "operator": operator,
    "torch": torch,
    "get_native_backend_config": get_native_backend_config,
    "get_onednn_backend_config": get_onednn_backend_config,
    "get_x86_backend_config": x86.get_x86_backend_config,
    "get_fuser_method_mapping": utils.get_fuser_method_mapping,
    "pattern_to_human_readable": utils.pattern_to_human_readable,
    "remove_boolean_dispatch_from_name": utils.remove_boolean_dispatch_from_name,
    **{name: getattr(torch, name) for name in "quint8 qint8 quint4x2 qint32 float16 float".split()},
}


def without_key(record):
    return {key: item for key, item in record.items() if key != "_internal_key"}


def pattern_entry(value):
    """One BackendPatternConfig, which need not have a pattern."""
    if value.pattern is None and value._pattern_complex_format is None:
        return {**value.to_dict(), "observation_type": value.observation_type.name}
    return without_key(configs.entry(value))


def encoded(value):
    if isinstance(value, DTypeWithConstraints):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return {key: encoded(item) for key, item in fields.items()}
    if isinstance(value, DTypeConfig):
        return configs.dtype_config(value)
    if isinstance(value, BackendPatternConfig):
        return pattern_entry(value)
    if isinstance(value, BackendConfig):
        return configs.backend_config(value)
    if hasattr(value, "to_dict"):
        return encoded(value.to_dict())
    if isinstance(value, ObservationType):
        return value.name
    if isinstance(value, torch.dtype):
        return str(value)
    if isinstance(value, dict):
        return {names.pattern(key): encoded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encoded(item) for item in value]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return names.pattern(value)


def call(text):
    """The row of one call: its result or its error."""
    row = {"name": text, "steps": text}
    try:
        value = eval(text, dict(NAMES))  # noqa: S307 - the texts stand above
        # A dictionary with objects in it is written as the object that it was made from.
        if isinstance(value, dict) and ".to_dict()" in text:
            value = eval(text.removesuffix(".to_dict()"), dict(NAMES))  # noqa: S307
            row["result"] = encoded(value)
            if isinstance(value, BackendConfig):
                row["result"]["configs"] = [without_key(e) for e in row["result"]["configs"]]
        else:
            row["result"] = encoded(value)
    except Exception as kind:  # noqa: BLE001 - the error is the record
        row["error"] = {"type": type(kind).__name__, "message": str(kind)[:200]}
    return row


def config_api_table():
    return [call(text) for text in CALLS]


def random_observers(rng, count):
    made = {}
    while len(made) < count:
        kind = rng.choice([o.MinMaxObserver, o.MovingAverageMinMaxObserver, o.HistogramObserver,
                           o.PerChannelMinMaxObserver, o.PlaceholderObserver,
                           o.FixedQParamsObserver])
        kwargs = {"dtype": rng.choice([torch.quint8, torch.qint8, torch.float16, torch.int8])}
        if kind is o.FixedQParamsObserver:
            kwargs |= {"scale": rng.choice([1 / 256, 2 / 256, 0.1]),
                       "zero_point": rng.choice([0, 128, 3])}
        elif rng.random() < 0.6:
            kwargs["eps"] = rng.choice([2**-12, 2**-8, 2**-20])
        if rng.random() < 0.7:
            bounds = rng.choice([(0, 127), (-64, 63), (-127, 127), (0, 255)])
            kwargs |= {"quant_min": bounds[0], "quant_max": bounds[1]}
        try:
            kind(**kwargs)
        except (AssertionError, NotImplementedError, TypeError, ValueError):
            continue
        made[f"observer{len(made)}"] = (kind, kwargs)
    return made


def random_constraints(rng):
    record = {"dtype": rng.choice([torch.quint8, torch.qint8, torch.float16, torch.int8])}
    choices = {
        "quant_min_lower_bound": [0, -127, -128, 5],
        "quant_max_upper_bound": [127, 255, 63, 15],
        "scale_min_lower_bound": [2**-12, 2**-8, 1e-9],
        "scale_max_upper_bound": [1.0, 1e-5],
        "scale_exact_match": [1 / 256, 0.1],
        "zero_point_exact_match": [0, 128, 3],
    }
    for key, values in choices.items():
        if rng.random() < 0.5:
            record[key] = rng.choice(values)
    return DTypeWithConstraints(**record)


def constraint_table(seed, observers, constraints):
    """Every observer with every constraint: satisfied, or what torch warns of."""
    rng = random.Random(seed)
    made = random_observers(rng, observers)
    dtypes = {f"dtype{index}": random_constraints(rng) for index in range(constraints)}
    rows = []
    for name, (kind, kwargs) in made.items():
        qconfig = QConfig(activation=kind.with_args(**kwargs), weight=None)
        for dtype, bounds in dtypes.items():
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                satisfied = _qconfig_satisfies_dtype_config_constraints(qconfig, bounds, True)
            texts = [str(warning.message).split(", ignoring")[0] for warning in caught]
            row = [name, dtype, satisfied]
            rows.append(row if satisfied else row + [[t for t in texts if "QConfig" in t]])
    plain = lambda item: str(item) if isinstance(item, torch.dtype) else item
    return {"constraint_check": {
        "observers": {name: {"class": kind.__name__,
                             "kwargs": {key: plain(item) for key, item in kwargs.items()}}
                      for name, (kind, kwargs) in made.items()},
        "dtypes": {name: configs.constrained(bounds) for name, bounds in dtypes.items()},
        "table": rows,
        "note": "activation side; [observer, constraint, result, warnings]",
    }}
