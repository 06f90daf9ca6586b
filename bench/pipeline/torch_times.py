"""Times in torch what `qconform bench --pipeline` times in C++.

Prints one JSON object: the version of torch, and by number of threads and case the shortest
and the median time of several runs, in milliseconds. Cases have the names that they have in
C++. Run by the benchmark with the interpreter that it finds.
"""

import argparse
import json
import re
import statistics
import sys
import time
import warnings

warnings.filterwarnings("ignore")

import torch
from torch.ao.quantization import fake_quantize, get_default_qconfig_mapping, observer
from torch.ao.quantization.quantize_fx import convert_to_reference_fx, prepare_fx

ELEMENTS = 1 << 24
S8 = {"quant_min": -128, "quant_max": 127}
U8 = {"quant_min": 0, "quant_max": 255}


def measure(run, repetitions, setup=lambda: ()):
    seconds = []
    for _ in range(repetitions):
        arguments = setup()
        start = time.perf_counter()
        run(*arguments)
        seconds.append(time.perf_counter() - start)
    return {"best": 1e3 * min(seconds), "median": 1e3 * statistics.median(seconds)}


def resnet50(thin):
    import torchvision

    model = torchvision.models.resnet50(weights=None).eval()
    if thin:
        for module in model.modules():
            for group in (module._parameters, module._buffers):
                for name, value in group.items():
                    if value is not None and value.is_floating_point():
                        group[name] = shrink(value, name in module._parameters)
    return model


def shrink(value, is_parameter):
    one = torch.ones([1] * value.dim())
    return torch.nn.Parameter(one) if is_parameter else one


def networks(repetitions):
    """Whole calls on thin weights, which leave the work on the graph, and on full ones.

    No observer has seen a value, here and in C++: every scale is 1, nothing is searched.
    """
    mapping = get_default_qconfig_mapping("x86")
    example = (torch.zeros(1, 3, 32, 32),)

    def prepare(model):
        return prepare_fx(model, mapping, example)

    def stages(thin):
        return (
            measure(prepare, repetitions, lambda: (resnet50(thin),)),
            measure(convert_to_reference_fx, repetitions, lambda: (prepare(resnet50(thin)),)),
        )

    def whole():
        prepared, converted = stages(thin=False)
        return {key: prepared[key] + converted[key] for key in prepared}

    return {
        "resnet50/structure/prepare": lambda: stages(thin=True)[0],
        "resnet50/structure/convert": lambda: stages(thin=True)[1],
        "resnet50/whole": whole,
    }


def observers(repetitions):
    """Every observer and fake-quantizer on 16 million elements."""
    x = torch.rand(4096, 4096) * 8 - 4
    images = x.reshape(64, 64, 64, 64)
    symmetric = {"dtype": torch.qint8, "qscheme": torch.per_channel_symmetric}
    by_channel = observer.PerChannelMinMaxObserver
    moving = observer.MovingAverageMinMaxObserver
    moving_by_channel = observer.MovingAveragePerChannelMinMaxObserver
    fixed = observer.FixedQParamsObserver.with_args(scale=1 / 256, zero_point=0)
    fused = fake_quantize.FusedMovingAvgObsFakeQuantize
    plain = fake_quantize.FakeQuantize
    made = {
        "observer/MinMaxObserver": (observer.MinMaxObserver(), x),
        "observer/MovingAverageMinMaxObserver": (moving(), x),
        "observer/PerChannelMinMaxObserver/axis:0": (by_channel(ch_axis=0, **symmetric), x),
        "observer/PerChannelMinMaxObserver/axis:1": (by_channel(ch_axis=1, **symmetric), x),
        "observer/PerChannelMinMaxObserver/axis:1_of_4": (
            by_channel(ch_axis=1, **symmetric),
            images,
        ),
        "observer/MovingAveragePerChannelMinMaxObserver/axis:0": (
            moving_by_channel(ch_axis=0, **symmetric),
            x,
        ),
        "observer/MovingAveragePerChannelMinMaxObserver/axis:1": (
            moving_by_channel(ch_axis=1, **symmetric),
            x,
        ),
        "observer/HistogramObserver": (observer.HistogramObserver(), x),
        "observer/FixedQParamsObserver": (fixed(), x),
        "observer/PlaceholderObserver": (observer.PlaceholderObserver(), x),
        "observer/NoopObserver": (observer.NoopObserver(), x),
        "fake_quantize/FakeQuantize/per_tensor": (plain(observer=moving, **U8), x),
        "fake_quantize/FakeQuantize/per_channel/axis:0": (
            plain(observer=moving_by_channel, ch_axis=0, **S8, **symmetric),
            x,
        ),
        "fake_quantize/FakeQuantize/per_channel/axis:1": (
            plain(observer=moving_by_channel, ch_axis=1, **S8, **symmetric),
            x,
        ),
        "fake_quantize/FakeQuantize/observing": (plain(observer=moving, **U8), x),
        "fake_quantize/FixedQParamsFakeQuantize": (
            fake_quantize.FixedQParamsFakeQuantize(observer=fixed),
            x,
        ),
        "fake_quantize/FusedMovingAvgObsFakeQuantize/per_tensor": (
            fused(observer=moving, **U8),
            x,
        ),
        "fake_quantize/FusedMovingAvgObsFakeQuantize/per_channel": (
            fused(observer=moving_by_channel, ch_axis=0, **S8, **symmetric),
            x,
        ),
    }
    for module, value in made.values():
        module(value)
    for name, (module, _) in made.items():
        if name.startswith("fake_quantize/FakeQuantize/per"):
            module.disable_observer()
    cases = {
        name: lambda module=module, value=value: measure(lambda: module(value), repetitions)
        for name, (module, value) in made.items()
    }
    cases["observer/RecordingObserver"] = lambda: measure(x.clone, repetitions)
    return cases


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, nargs="+", default=[1])
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--filter", default="", help="regular expression of cases to time")
    arguments = parser.parse_args()
    torch.manual_seed(0)
    times = {}
    with torch.no_grad():
        for threads in arguments.threads:
            torch.set_num_threads(threads)
            cases = observers(arguments.repetitions)
            if threads == 1:
                cases.update(networks(3))
            times[threads] = {
                name: run()
                for name, run in cases.items()
                if re.search(arguments.filter, f"{name}/threads:{threads}")
            }
    json.dump({"version": torch.__version__, "times": times}, sys.stdout)


if __name__ == "__main__":
    main()
