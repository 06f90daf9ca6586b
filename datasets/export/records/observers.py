"""QConfigs, observers and fake-quantizers as JSON, and QConfigs back from JSON."""

import functools

import torch
from records import names, values
from torch.ao import quantization
from torch.ao.quantization import QConfig, QConfigMapping, observer

DTYPE_KEYS = ("dtype", "qscheme")
STATE = """dtype qscheme quant_min quant_max reduce_range is_dynamic ch_axis
averaging_constant bins custom_op has_customized_qrange""".split()


def _setting(value):
    if isinstance(value, (torch.dtype, torch.qscheme)):
        return str(value)
    if isinstance(value, torch.Tensor):
        return values.tensor(value)
    if callable(value):
        return constructor(value)
    return values.number(value)


def constructor(value):
    """{"class", "kwargs"} of an observer's constructor; nested wrappers are flattened."""
    if value is None:
        return None
    kwargs = {}
    while True:
        if isinstance(value, observer._PartialWrapper):
            value = value.p
        elif isinstance(value, functools.partial):
            kwargs = {**value.keywords, **kwargs}
            value = value.func
        else:
            break
    return {
        "class": value.__name__,
        "kwargs": {key: _setting(item) for key, item in kwargs.items()},
    }


def qconfig(value):
    if value is None:
        return None
    return {
        "activation": constructor(value.activation),
        "weight": constructor(value.weight),
    }


def _key(value):
    return value if isinstance(value, int) else names.atom_name(value)


def mapping(value):
    """A QConfigMapping."""
    def rows(table):
        return [
            [*map(_key, key if isinstance(key, tuple) else (key,)), qconfig(item)]
            for key, item in table.items()
        ]

    return {
        "global": qconfig(value.global_qconfig),
        "object_type": rows(value.object_type_qconfigs),
        "module_name_regex": rows(value.module_name_regex_qconfigs),
        "module_name": rows(value.module_name_qconfigs),
        "module_name_object_type_order": rows(value.module_name_object_type_order_qconfigs),
    }


def _class(name):
    found = getattr(quantization, name, None) or getattr(observer, name, None)
    return found if found is not None else getattr(torch.nn, name)


def _value_from_json(key, value):
    if isinstance(value, dict):
        return constructor_from_json(value)
    if key in DTYPE_KEYS and isinstance(value, str):
        return getattr(torch, value.removeprefix("torch."))
    return value


def constructor_from_json(json):
    if json is None:
        return None
    kind = _class(json["class"])
    kwargs = {key: _value_from_json(key, value) for key, value in json["kwargs"].items()}
    return kind.with_args(**kwargs) if kwargs else kind


def qconfig_from_json(json):
    if json is None:
        return None
    return QConfig(
        activation=constructor_from_json(json["activation"]),
        weight=constructor_from_json(json["weight"]),
    )


def mapping_from_json(json):
    """Equal QConfigs of the mapping become one object, as in a mapping of torch's own."""
    seen = {}

    def shared(item):
        return seen.setdefault(repr(item), qconfig_from_json(item))

    result = QConfigMapping().set_global(shared(json["global"]))
    for name, item in json["object_type"]:
        result.set_object_type(names.find(name), shared(item))
    for name, item in json["module_name_regex"]:
        result.set_module_name_regex(name, shared(item))
    for name, item in json["module_name"]:
        result.set_module_name(name, shared(item))
    for name, kind, index, item in json["module_name_object_type_order"]:
        result.set_module_name_object_type_order(name, names.find(kind), index, shared(item))
    return result


def state(value, qparams=False, histogram=False):
    """Everything that an observer or fake-quantizer has gathered."""
    record = {"class": type(value).__name__}
    if isinstance(value, quantization.FakeQuantizeBase):
        record["fake_quant_enabled"] = int(value.fake_quant_enabled[0])
        record["observer_enabled"] = int(value.observer_enabled[0])
        record["scale_buf"] = values.tensor(value.scale)
        record["zero_point_buf"] = values.tensor(value.zero_point)
        record["ch_axis"] = value.ch_axis
        record["observer"] = state(value.activation_post_process, histogram=histogram)
    else:
        for name in STATE:
            if hasattr(value, name):
                record[name] = _setting(getattr(value, name))
        if getattr(value, "eps", None) is not None:
            record["eps"] = float(value.eps)
        for name in ("min_val", "max_val", "scale", "zero_point"):
            if isinstance(getattr(value, name, None), torch.Tensor):
                record[name] = values.tensor(getattr(value, name))
        if isinstance(value, observer.HistogramObserver):
            record["hist_sum"] = float(value.histogram.sum())
            if histogram:
                record["histogram"] = values.tensor(value.histogram)
            if value.min_val.numel() and bool(torch.isfinite(value.min_val)):
                lowest, highest = value._non_linear_param_search()
                record["search"] = [float(lowest), float(highest)]
    if qparams:
        record["qparams"] = calculated(value)
    return record


def calculated(value):
    """calculate_qparams, or the error that it raises."""
    try:
        scale, zero_point = value.calculate_qparams()[:2]
        return {"scale": values.tensor(scale), "zero_point": values.tensor(zero_point)}
    except Exception as error:  # noqa: BLE001 - the error is the record
        return {"error": f"{type(error).__name__}: {error}"}
