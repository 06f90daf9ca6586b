"""Tables of configs: built-in backend configs, qconfigs, rules of mappings."""

import importlib
import random
import warnings

import torch
import torch.ao.quantization.backend_config.utils as config_utils
from records import configs, names, observers, pipeline, random_models, random_settings, values
from records.table_errors import error
from torch import nn
from torch.ao.quantization import QConfig, QConfigMapping, observer, quantize_fx
from torch.ao.quantization.fx import qconfig_mapping_utils
from torch.ao.quantization.fx.pattern_utils import _sorted_patterns_dict
from torch.ao.quantization.fx.utils import _qconfig_satisfies_dtype_config_constraints

named = importlib.import_module("torch.ao.quantization.qconfig")
mappings = importlib.import_module("torch.ao.quantization.qconfig_mapping")
BACKENDS = ("fbgemm", "x86", "qnnpack", "onednn")


# ---- backend configs ----------------------------------------------------------------------
def backend_config(name):
    """backend_configs/NAME.json."""
    made = pipeline.backend_config_object(name)
    keyed = dict(made._pattern_complex_format_to_config)
    fusion = {key: None for key, entry in keyed.items() if entry.fuser_method is not None}

    def rows(table, encode):
        return [[names.pattern(key), encode(item)] for key, item in table.items()]

    room = {"native_and_fp16": "native", "xnnpack": "_qnnpack_pt2e"}.get(name, name)
    getter = {"native_and_fp16": "get_test_only_legacy_native_backend_config",
              "xnnpack": "get_qnnpack_pt2e_backend_config"}.get(
                  name, f"get_{name}_backend_config")
    utils = config_utils
    return {
        "file": name, "name": made.name,
        "source": f"torch.ao.quantization.backend_config.{room}.{getter}",
        "n_configs": len(keyed),
        "configs": [configs.entry(entry) for entry in keyed.values()],
        "fusion_match_order": [names.pattern(p) for p in _sorted_patterns_dict(fusion)],
        "quant_match_order": [
            names.pattern(p) for p in _sorted_patterns_dict({key: None for key in keyed})],
        "maps": {
            "root_module_to_quantized_reference_module": rows(
                utils.get_root_module_to_quantized_reference_module(made), names.type_name),
            "module_to_qat_module": rows(
                utils.get_module_to_qat_module(made), names.type_name),
            "qat_module_classes": sorted(
                map(names.type_name, utils.get_qat_module_classes(made))),
            "fused_module_classes": sorted(
                map(names.type_name, utils.get_fused_module_classes(made))),
            "fuser_method_mapping": rows(
                utils.get_fuser_method_mapping(made), configs.callable_name),
            "pattern_to_input_type_to_index": rows(
                {key: item for key, item in
                 utils.get_pattern_to_input_type_to_index(made).items() if item}, dict),
            "fusion_pattern_to_root_node_getter": rows(
                utils.get_fusion_pattern_to_root_node_getter(made), configs.callable_name),
            "fusion_pattern_to_extra_inputs_getter": rows(
                utils.get_fusion_pattern_to_extra_inputs_getter(made), configs.callable_name),
        },
    }


# ---- qconfigs -----------------------------------------------------------------------------
def default_qconfigs():
    table = {}
    for backend in (*BACKENDS, "foo"):
        for version in (0, 1):
            for getter in ("get_default_qconfig", "get_default_qat_qconfig"):
                try:
                    row = observers.qconfig(getattr(named, getter)(backend, version))
                except Exception as kind:  # noqa: BLE001 - the error is the record
                    row = {"error": error(kind)}
                table[f"{getter}({backend},{version})"] = row
    return table


def default_mappings():
    table = {}
    for backend in BACKENDS:
        table[f"ptq:{backend}:v0"] = observers.mapping(
            mappings.get_default_qconfig_mapping(backend))
        for version in (0, 1):
            table[f"qat:{backend}:v{version}"] = observers.mapping(
                mappings.get_default_qat_qconfig_mapping(backend, version))
    table["symmetric_qnnpack"] = observers.mapping(
        mappings._get_symmetric_qnnpack_qconfig_mapping())
    table["symmetric_qnnpack_qat"] = observers.mapping(
        mappings._get_symmetric_qnnpack_qat_qconfig_mapping())
    return table


def named_qconfigs():
    return {
        name: observers.qconfig(item)
        for name, item in sorted(vars(named).items())
        if isinstance(item, QConfig)
    }


def _numbered(number):
    """A qconfig that a table calls by its number."""
    if number is None:
        return None
    kind = observer.MinMaxObserver.with_args(quant_min=0, quant_max=number)
    return QConfig(activation=kind, weight=kind)


def precedence(seed, cases=40):
    """Random mappings of every level on the nodes of one random model."""
    rng = random.Random(seed)
    model, _ = random_models.random_model(
        seed, steps=(9, 14), only={"block", "chain", "linear", "binary", "sequential", "reshape"})
    tracer = quantize_fx.QuantizationTracer([], [])
    module = torch.fx.GraphModule(model, tracer.trace(model))
    modules = dict(module.named_modules(remove_duplicate=False))
    called = {n.target: modules[n.target] for n in module.graph.nodes if n.op == "call_module"}
    paths, types, functions, scopes = random_settings._walk(model)
    rows = []
    for index in range(cases):
        made, numbers = QConfigMapping(), {}
        plain = {"global": None, "object_type": [], "module_name_regex": [],
                 "module_name": [], "module_name_object_type_order": []}
        if rng.random() < 0.7:
            plain["global"] = 1
            made.set_global(_numbered(1))
        for count in range(rng.randint(1, 6)):
            number = rng.choice([count + 2, None])
            qconfig = _numbered(number)
            level = rng.choice(["object_type", "regex", "name", "order", "order"])
            if level == "object_type":
                key = rng.choice(types + functions)
                made.set_object_type(key, qconfig)
                numbers[("object_type", names.atom_name(key))] = number
            elif level == "regex" and paths:
                path = rng.choice(paths)
                key = rng.choice([path[:2] + ".*", path, ".*" + path[-2:], path.split(".")[0]])
                made.set_module_name_regex(key, qconfig)
                numbers[("module_name_regex", key)] = number
            elif level == "name" and paths:
                key = rng.choice(paths)
                made.set_module_name(key, qconfig)
                numbers[("module_name", key)] = number
            elif level == "order":
                path, kind = rng.choice(scopes) if scopes and rng.random() < 0.5 else ("", None)
                kind = kind or rng.choice(functions or [nn.Linear])
                parent = path.rpartition(".")[0] if isinstance(kind, type) else path
                order = rng.randint(0, 2)
                made.set_module_name_object_type_order(parent, kind, order, qconfig)
                numbers[("module_name_object_type_order", parent, names.atom_name(kind),
                         order)] = number
        for (table, *key), number in numbers.items():
            plain[table].append([*key, number])
        found = qconfig_mapping_utils._generate_node_name_to_qconfig(
            module, modules, module.graph, made, tracer.node_name_to_scope)
        rows.append({
            "name": f"random{index}", "mapping": plain,
            "node_qconfig": {
                node: None if q is None else q.activation.p.keywords["quant_max"]
                for node, q in found.items()}})
    return {
        "graph": values.graph(module.graph),
        "module_types": {path: names.type_name(type(item)) for path, item in called.items()},
        "node_scope": {
            name: [path, None if kind is None else names.type_name(kind)]
            for name, (path, kind) in tracer.node_name_to_scope.items()},
        "cases": rows,
    }


def constraint_check(seed, count=12):
    rng = random.Random(seed)
    constructors = {f"o{i}": random_settings.observer(rng, rng.random() < 0.3)
                    for i in range(count)}
    constructors["fixed"] = observer.FixedQParamsObserver.with_args(
        scale=1 / 256, zero_point=0, dtype=torch.quint8)
    constructors["placeholder"] = observer.PlaceholderObserver.with_args(dtype=torch.quint8)
    constraints = {
        f"c{i}": random_settings.dtype_with_constraints(
            rng, rng.choice([torch.quint8, torch.quint8, torch.qint8])) for i in range(count)}
    table = []
    for name, constructor in constructors.items():
        qconfig = QConfig(activation=constructor, weight=constructor)
        for key, constraint in constraints.items():
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                try:
                    result = _qconfig_satisfies_dtype_config_constraints(
                        qconfig, constraint, is_activation=True)
                except Exception as kind:  # noqa: BLE001 - the error is the record
                    result = type(kind).__name__
            texts = [str(item.message).split(", ignoring")[0] for item in caught]
            table.append([name, key, result, *([texts] if texts else [])])
    return {
        "observers": {k: observers.constructor(v) for k, v in constructors.items()},
        "dtypes": {k: configs.constrained(v) for k, v in constraints.items()},
        "table": table, "note": "activation side",
    }


def qconfig_table(seed):
    return {
        "default_qconfigs": default_qconfigs(), "default_mappings": default_mappings(),
        "named_qconfigs": named_qconfigs(), "precedence": precedence(seed),
        "constraint_check": constraint_check(seed + 1),
    }
