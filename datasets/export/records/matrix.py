"""One model under every built-in backend config and three mappings: light records."""

import copy
import importlib
import warnings

import torch
from records import pipeline, values
from torch.ao import quantization
from torch.ao.quantization import QConfig, QConfigMapping, observer, quantize_fx

qconfigs = importlib.import_module("torch.ao.quantization.qconfig")
mappings = importlib.import_module("torch.ao.quantization.qconfig_mapping")

MMPC = QConfig(
    activation=observer.MinMaxObserver.with_args(dtype=torch.quint8),
    weight=observer.PerChannelMinMaxObserver.with_args(
        dtype=torch.qint8, qscheme=torch.per_channel_symmetric
    ),
)
QINT8 = QConfig(
    activation=observer.MinMaxObserver.with_args(dtype=torch.qint8),
    weight=observer.MinMaxObserver.with_args(
        dtype=torch.qint8, qscheme=torch.per_tensor_symmetric
    ),
)
LIGHT_WEIGHT = """weight_qscheme weight_dtype weight_axis_int weight_quant_min
weight_quant_max""".split()


def variants():
    """(backend config, name of the mapping)."""
    own = {"native": "default:x86", "tensorrt": "global:QINT8", "executorch": "symqnnpack"}
    for backend in "native fbgemm x86 qnnpack onednn tensorrt executorch".split():
        yield backend, own.get(backend, f"default:{backend}")
        yield backend, "global:MMPC"
        yield backend, "global:default_dynamic_qconfig"


def mapping(name):
    kind, _, rest = name.partition(":")
    if kind == "default":
        return quantization.get_default_qconfig_mapping(rest)
    if kind == "symqnnpack":
        return mappings._get_symmetric_qnnpack_qconfig_mapping()
    known = {"MMPC": MMPC, "QINT8": QINT8}
    return QConfigMapping().set_global(known.get(rest) or getattr(qconfigs, rest))


def _light_module(record):
    """Of a module's record what the matrix keeps: classes and quantized weights' qparams."""
    light = {
        "type": record["type"],
        "attrs": {k: v for k, v in record["attrs"].items() if k in LIGHT_WEIGHT},
        "buffers": {
            k: v for k, v in record["buffers"].items() if k.startswith("weight")
        },
    }
    if "children" in record:
        light["children"] = {k: _light_module(v) for k, v in record["children"].items()}
    return light


def _without_empty(record, *keys):
    return {k: v for k, v in record.items() if v or k not in keys}


def variant(model, batches, backend, name):
    *calibration, test_input = batches
    record = {"backend_config": backend, "mapping": name}
    watch = pipeline.Watch()
    config = pipeline.backend_config_object(backend)
    try:
        with warnings.catch_warnings(record=True) as caught, watch.watching():
            warnings.simplefilter("always")
            with pipeline.engine(pipeline.REFERENCE_ENGINE):
                prepared = quantize_fx.prepare_fx(
                    model, mapping(name), tuple(calibration[0]), backend_config=config
                )
    except Exception as error:  # noqa: BLE001 - the error is the record
        record["result"] = "error"
        record["error"] = {"type": type(error).__name__, "message": str(error)}
        return record
    attrs = prepared.meta["_observed_graph_module_attrs"]
    prepared.eval()
    with torch.no_grad():
        for batch in calibration:
            prepared(*copy.deepcopy(batch))
    with pipeline.engine(pipeline.REFERENCE_ENGINE):
        reference = quantize_fx.convert_to_reference_fx(
            copy.deepcopy(prepared), backend_config=config
        ).eval()
    converted = pipeline.converted(reference, test_input)
    converted["modules"] = {k: _light_module(v) for k, v in converted["modules"].items()}
    record.update(
        result="ok",
        fusion_matches=watch.fusion_matches,
        warnings=[
            str(item.message)[:160]
            for item in caught
            if str(item.message).startswith("QConfig ")
        ],
        **watch.decisions[-1],
        observed_node_names=sorted(attrs.observed_node_names),
        fused_graph=watch.fused["graph"],
        fused_module_types={k: v["type"] for k, v in watch.fused["modules"].items()},
        prepared_graph=values.graph(prepared.graph),
        observers=pipeline.prepared_observers(prepared),
        reference=_without_empty(converted, "attrs", "quantize_outputs"),
    )
    return _without_empty(record, "fusion_matches", "warnings", "observed_node_names")


def make_record(name, make_model, batches, seed):
    """make_model() gives the same model each time: prepare changes its modules."""
    model = make_model().eval()
    return {
        "name": name,
        "kind": "fx_matrix",
        "variants": [
            variant(make_model().eval(), batches, backend, mapping_name)
            for backend, mapping_name in variants()
        ],
        "seed": seed,
        "calibration_inputs": [[values.any_value(x) for x in b] for b in batches[:-1]],
        "test_input": [values.any_value(x) for x in batches[-1]],
        "float": pipeline.float_record(model, None, batches[-1]),
    }
