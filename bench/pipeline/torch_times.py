"""Times in torch what `qconform bench --pipeline` times in C++.

Prints one JSON object: the version of torch, and by case the shortest and the median time
of several runs, in milliseconds. Run by the benchmark with the interpreter that it finds.
"""

import argparse
import json
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
    mapping = get_default_qconfig_mapping("x86")
    example = (torch.zeros(1, 3, 32, 32),)
    times = {}
    for name, thin in (("resnet50", False), ("resnet50_thin", True)):
        times[f"{name}/prepare"] = measure(
            lambda model: prepare_fx(model, mapping, example),
            repetitions,
            lambda: (resnet50(thin),),
        )

        def prepared():
            made = prepare_fx(resnet50(thin), mapping, example)
            for module in made.modules():
                if isinstance(module, observer.HistogramObserver):
                    module(torch.zeros(2))
            return (made,)

        times[f"{name}/convert"] = measure(convert_to_reference_fx, repetitions, prepared)
    times["resnet50/whole"] = {
        key: times["resnet50/prepare"][key] + times["resnet50/convert"][key]
        for key in ("best", "median")
    }
    return times


def observers(repetitions):
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
    times = {}
    for name, (module, value) in made.items():
        module(value)
        if name.startswith("fake_quantize/FakeQuantize/per"):
            module.disable_observer()
        times[name] = measure(lambda: module(value), repetitions)
    times["observer/RecordingObserver"] = measure(lambda: x.clone(), repetitions)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, nargs="+", default=[1])
    parser.add_argument("--repetitions", type=int, default=7)
    arguments = parser.parse_args()
    torch.manual_seed(0)
    result = {"version": torch.__version__, "times": {}}
    with torch.no_grad():
        for threads in arguments.threads:
            torch.set_num_threads(threads)
            result["times"][str(threads)] = observers(arguments.repetitions)
        torch.set_num_threads(1)
        result["times"]["1"].update(networks(3))
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
