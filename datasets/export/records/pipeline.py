"""Runs torch's FX pipeline on a case and records every stage of it."""

import contextlib
import copy
import dataclasses
import importlib
import warnings

import torch
from records import names, observers, values
from torch.ao import quantization
from torch.ao.quantization import quantize_fx

# The package exports functions of the same names.
fuse = importlib.import_module("torch.ao.quantization.fx.fuse")
prepare = importlib.import_module("torch.ao.quantization.fx.prepare")

TRAIN_STEPS = 2
# The reduce_range of a dynamic reference follows the engine; torch's default is this one.
REFERENCE_ENGINE = "x86"
QUANTIZERS = ("quantize_per", "choose_qparams")
QUANTIZED_INPUT = (0.05, 128, torch.quint8)


@dataclasses.dataclass
class Case:
    """A model with everything that one record of it depends on."""

    name: str
    model: torch.nn.Module
    inputs: list  # batches; the last is the test input, the others calibrate
    mapping: quantization.QConfigMapping
    backend_config: object  # name of a built-in config, or a BackendConfig
    is_qat: bool = False
    seed: int = 0
    note: str = ""
    custom_config: object = None  # PrepareCustomConfig
    custom_json: dict | None = None  # the same as the record holds it
    convert_mapping: object = None
    convert_custom_config: object = None
    convert_custom_json: dict | None = None
    stages: tuple = ("reference", "decomposed", "lowered")
    engines: tuple = ("fbgemm",)
    keep_mode: bool = False  # do not switch to eval or train first
    extras: dict = dataclasses.field(default_factory=dict)


def backend_config_object(config):
    """A BackendConfig from the name of a built-in one."""
    if not isinstance(config, str):
        return config
    from torch.ao.quantization import backend_config

    rooms = {"native_and_fp16": "native", "xnnpack": "_qnnpack_pt2e"}
    getters = {
        "native_and_fp16": "get_test_only_legacy_native_backend_config",
        "xnnpack": "get_qnnpack_pt2e_backend_config",
    }
    room = importlib.import_module(
        f"torch.ao.quantization.backend_config.{rooms.get(config, config)}"
    )
    return getattr(room, getters.get(config, f"get_{config}_backend_config"))()


class Watch:
    """What fuse and prepare decided, seen while they run."""

    def __init__(self):
        self.fusion_matches = None
        self.fused = None
        self.decisions = []
        self.depth = 0

    @contextlib.contextmanager
    def watching(self):
        saved = fuse._find_matches, quantize_fx.fuse, prepare.insert_observers_for_model

        def find_matches(*args):
            found = saved[0](*args)
            if self.fusion_matches is None:
                self.fusion_matches = fusion_matches(found)
            return found

        def run_fuse(*args, **kwargs):
            result = saved[1](*args, **kwargs)
            if self.fused is None:
                self.fused = {
                    "graph": values.graph(result.graph),
                    "modules": values.called_modules(result),
                }
                self.fused_module = result
            return result

        def insert(model, matches, node_name_to_qconfig, *args, **kwargs):
            self.decisions.append(decisions(matches, node_name_to_qconfig, model))
            return saved[2](model, matches, node_name_to_qconfig, *args, **kwargs)

        fuse._find_matches, quantize_fx.fuse = find_matches, run_fuse
        prepare.insert_observers_for_model = insert
        try:
            yield
        finally:
            fuse._find_matches, quantize_fx.fuse = saved[:2]
            prepare.insert_observers_for_model = saved[2]


def _names(nodes):
    if isinstance(nodes, (list, tuple)):
        return [_names(item) for item in nodes]
    return getattr(nodes, "name", nodes)


def fusion_matches(found):
    return {
        name: {
            "last": match[0].name,
            "pattern": names.pattern(match[1]),
            "nodes": _names(match[2]),
        }
        for name, match in found.items()
    }


def decisions(matches, node_name_to_qconfig, model):
    """matches, node_qconfig and the qconfigs that both refer to by number."""
    qconfigs = {}

    def number(qconfig):
        if qconfig is None:
            return None
        record = observers.qconfig(qconfig)
        for name, known in qconfigs.items():
            if known == record:
                return name
        name = f"q{len(qconfigs)}"
        qconfigs[name] = record
        return name

    table = {}
    for name, (last, nodes, pattern, handler, qconfig) in matches.items():
        kind = getattr(handler, "observation_type", None)
        table[name] = {
            "last": last.name,
            "nodes": _names(nodes),
            "pattern": None if pattern is None else names.pattern(pattern),
            "root": handler.root_node.name,
            "num_tensor_args": handler.num_tensor_args,
            "observation_type": getattr(kind, "name", None),
            "custom": handler.is_custom_module(),
            "standalone": handler.is_standalone_module(),
            "qconfig": number(qconfig),
        }
    node_qconfig = {name: number(item) for name, item in node_name_to_qconfig.items()}
    return {"matches": table, "node_qconfig": node_qconfig, "qconfigs": qconfigs}


def error_text(error):
    # The traceback names this machine's files.
    text = str(error).split("\nOriginal traceback")[0]
    return f"{type(error).__name__}: {text[:300]}"


def _run(model, inputs):
    with torch.no_grad():
        return values.any_value(model(*copy.deepcopy(inputs)))


def prepared_observers(model):
    """The observer nodes in graph order, and the instances that they call."""
    modules = dict(model.named_modules(remove_duplicate=False))
    nodes, instances, numbers = [], {}, {}
    for node in model.graph.nodes:
        if node.op != "call_module" or not values._is_observer(modules.get(node.target)):
            continue
        instance = modules[node.target]
        if id(instance) not in numbers:
            numbers[id(instance)] = f"obs{len(numbers)}"
            instances[numbers[id(instance)]] = observers.state(instance, qparams=True)
        observed = node.args[0]
        nodes.append(
            {
                "node": node.name,
                "target": node.target,
                "observes": getattr(observed, "name", None),
                "instance": numbers[id(instance)],
                "users": [user.name for user in node.users],
            }
        )
    return {"nodes": nodes, "instances": instances}


def _quantize_outputs(model, inputs):
    """The codes of every node that quantizes, from one run."""
    results = {}

    class Interpreter(torch.fx.Interpreter):
        def run_node(self, node):
            result = super().run_node(node)
            if node.op == "call_function" and node.name.startswith(QUANTIZERS):
                results[node.name] = values.any_value(result)
            return result

    with torch.no_grad():
        Interpreter(model).run(*copy.deepcopy(inputs))
    return results


def converted(model, inputs, with_codes=True):
    """A converted model with its codes and output, or the error of running it."""
    record = {
        "graph": values.graph(model.graph),
        "modules": values.called_modules(model),
        "attrs": values.attributes(model),
    }
    try:
        if with_codes:
            record["quantize_outputs"] = _quantize_outputs(model, inputs)
        record["output"] = _run(model, inputs)
    except Exception as error:  # noqa: BLE001 - the error is the record
        record.pop("quantize_outputs", None)
        record["run_error"] = error_text(error)
    return record


@contextlib.contextmanager
def engine(name):
    before = torch.backends.quantized.engine
    torch.backends.quantized.engine = name
    try:
        yield
    finally:
        torch.backends.quantized.engine = before


def float_record(model, custom_config, inputs):
    """The graph that prepare traces, with scopes, tensors and the float output."""
    config = custom_config or quantization.fx.custom_config.PrepareCustomConfig()
    names_, classes = prepare_skips(config)
    # Tracing leaves the tensors that forward makes in the module.
    model = copy.deepcopy(model)
    tracer = quantize_fx.QuantizationTracer(names_, classes)
    traced = torch.fx.GraphModule(model, tracer.trace(model))
    scopes = {}
    for node in traced.graph.nodes:
        path, kind = tracer.node_name_to_scope.get(node.name, ("", None))
        scopes[node.name] = [path, None if kind is None else names.type_name(kind)]
    record = {
        "graph": values.graph(traced.graph),
        "modules": values.called_modules(traced),
        "attrs": values.attributes(traced),
        "node_scope": scopes,
    }
    running = copy.deepcopy(traced).eval()
    record["output"] = _run(running, inputs)
    return record


def prepare_skips(config):
    from torch.ao.quantization.fx.utils import get_skipped_module_name_and_classes

    return get_skipped_module_name_and_classes(config, False)


def make_record(case):
    """The record of a case, as datasets/oracle/FORMAT.md describes it."""
    from records import configs

    *calibration, test_input = case.inputs
    model = case.model
    if not case.keep_mode:
        model.train(case.is_qat)
    record = {
        "name": case.name,
        "kind": "fx_qat" if case.is_qat else "fx_ptq",
        "note": case.note,
        "seed": case.seed,
        "backend_config": case.backend_config
        if isinstance(case.backend_config, str)
        else {"custom": configs.backend_config(case.backend_config)},
        "qconfig_mapping": observers.mapping(case.mapping),
    }
    if case.convert_mapping is not None:
        record["convert_qconfig_mapping"] = observers.mapping(case.convert_mapping)
    if case.custom_json:
        record["prepare_custom_config"] = case.custom_json
    if case.convert_custom_json:
        record["convert_custom_config"] = case.convert_custom_json
    record["calibration_inputs"] = [[values.any_value(x) for x in b] for b in calibration]
    record["test_input"] = [values.any_value(x) for x in test_input]
    record["float"] = float_record(model, case.custom_config, test_input)
    watch = Watch()
    messages = []
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with watch.watching(), engine(REFERENCE_ENGINE):
                run = quantize_fx.prepare_qat_fx if case.is_qat else quantize_fx.prepare_fx
                prepared = run(
                    model,
                    copy.deepcopy(case.mapping),
                    tuple(calibration[0]),
                    prepare_custom_config=case.custom_config,
                    backend_config=backend_config_object(case.backend_config),
                )
        messages = [str(item.message)[:160] for item in caught]
    except Exception as error:  # noqa: BLE001 - the error is the record
        _add_fusion(record, watch)
        record["result"] = "error"
        record["error"] = {"type": type(error).__name__, "message": str(error)}
        return record
    _add_fusion(record, watch)
    record["warnings"] = [item for item in messages if item.startswith("QConfig ")]
    record["result"] = "ok"
    if len(watch.decisions) > 1:
        record["nested_matches"] = watch.decisions[:-1]
    record.update(watch.decisions[-1])
    attrs = prepared.meta["_observed_graph_module_attrs"]
    record["observed_node_names"] = sorted(attrs.observed_node_names)
    _calibrate(case, record, prepared, calibration, test_input)
    _convert(case, record, prepared, test_input)
    return record


def _add_fusion(record, watch):
    if watch.fused is not None:
        record["fusion_matches"] = watch.fusion_matches
        record["fused"] = watch.fused
    elif watch.fusion_matches is not None:
        pass


def _calibrate(case, record, prepared, calibration, test_input):
    try:
        if case.is_qat:
            prepared.train()
            with torch.no_grad():
                for batch in calibration[:TRAIN_STEPS]:
                    prepared(*copy.deepcopy(batch))
            prepared.eval()
        else:
            prepared.eval()
            for batch in calibration:
                with torch.no_grad():
                    prepared(*copy.deepcopy(batch))
    except Exception as error:  # noqa: BLE001 - the error is the record
        record["run_error"] = error_text(error)
    record["prepared"] = {
        "graph": values.graph(prepared.graph),
        "modules": values.called_modules(prepared, tensors=False),
        "observers": prepared_observers(prepared),
        "output": None,
    }
    if case.is_qat:
        # Its observers are still on: what is converted has seen the test input too.
        try:
            record["prepared"]["output"] = _run(prepared, test_input)
        except Exception as error:  # noqa: BLE001 - the error is the record
            record["run_error"] = error_text(error)
    attributes = (case.custom_json or {}).get("preserved_attributes")
    if attributes:
        record["prepared"]["preserved"] = {
            name: values.any_value(getattr(prepared, name, None)) for name in attributes
        }


def _convert(case, record, prepared, test_input):
    options = {
        "qconfig_mapping": case.convert_mapping,
        "convert_custom_config": case.convert_custom_config,
        "backend_config": backend_config_object(case.backend_config),
    }
    options = {key: item for key, item in options.items() if item is not None}
    indexes = (case.custom_json or {}).get("input_quantized_indexes", [])
    if indexes:
        scale, zero_point, dtype = QUANTIZED_INPUT
        test_input = [
            torch.quantize_per_tensor(item, scale, zero_point, dtype) if i in indexes else item
            for i, item in enumerate(test_input)
        ]
        record["test_input_quantized"] = [values.any_value(x) for x in test_input]

    def stage(run, with_codes=True):
        try:
            model = run(copy.deepcopy(prepared), **copy.copy(options))
        except Exception as error:  # noqa: BLE001 - the error is the record
            return {"error": error_text(error)}
        model.eval()
        return converted(model, test_input, with_codes)

    first = case.engines[0] if case.engines else None
    with engine(REFERENCE_ENGINE):
        if "reference" in case.stages:
            record["reference"] = stage(quantize_fx.convert_to_reference_fx)
        if "decomposed" in case.stages:
            record["decomposed"] = stage(quantize_fx._convert_to_reference_decomposed_fx)
    if "lowered" in case.stages:
        record["lowered"] = {}
        for name in case.engines:
            with engine(name):
                result = stage(quantize_fx.convert_fx, with_codes=False)
            if name != first and "output" in result:
                result = {"output": result["output"]}
            record["lowered"][name] = result
