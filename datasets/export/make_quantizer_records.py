"""Writes what torchao's quantizers annotate on small models: make_quantizer_records.py FILE.

datasets/oracle/quantizers/annotations.jsonl is its output; one case a line.
"""

import json
import pathlib
import sys

from records.quantizer_tables import case

X86 = "x86_inductor"
ARM = "arm_inductor"
XNN = "xnnpack"


def settings(kind, *calls):
    return {"quantizer": kind, "settings": list(calls)}


def set_global(config=None):
    return {"call": "set_global", "config": config or {}}


def of_name(kind, name, config):
    suffix = "" if kind == XNN else "_qconfig"
    return {"call": "set_module_name" + suffix, "name": name, "config": config}


def of_type(call, kind, config):
    return {"call": call, "type": kind, "config": config}


PTQ_MODELS = """ConvReLU ConvHardtanh ConvHardswish ConvReLU6 ConvSiLU ConvSigmoid ConvGELU
ConvBnReLU LinearReLU LinearLeakyReLU LinearTanh LinearGELU LinearSiLU ConvReluInplace Conv1d
Conv1dRelu Conv1dBnRelu ConvTransposeRelu ConvTranspose Conv3dRelu LinearNoBias TwoConvs Pools
FlattenLast MaxPoolFirst Gru ConvAdd ConvAddRelu ConvAddReluModule ConvAddInplace ConvTwoUsers
ConvAddScalar ConvsAdded MixedAdds FunctionalConvRelu FunctionalLinearRelu LinearAddRelu
LinearAdd LinearTwice LinearTwiceApart ConvTwice ConvTwiceApart Multiplied AddedScalars
MultipliedBroadcast Matmul Concatenated ConcatenatedSelf Nested TwoHeads Embedded
FunctionalPools""".split()
QAT_MODELS = """ConvBn ConvBnReLU ConvBnHardtanh ConvBnHardswish ConvBnReLU6 ConvBnSiLU
ConvBnSigmoid ConvNoBiasBnRelu ConvBnReluInplace Conv1dBnRelu ConvTransposeBnRelu
ConvBnAddRelu ConvBnAdd ConvAddReluModule LinearReLU LinearAddRelu Pools ConvTwice
Nested""".split()


def cases():
    for strict in (False, True):
        for model in PTQ_MODELS:
            for kind in (X86, XNN):
                yield model, settings(kind, set_global()), strict
        for model in QAT_MODELS:
            for kind in (X86, XNN, ARM):
                yield model, settings(kind, set_global({"is_qat": True})), strict
        for model in ("ConvAddReluModule", "ConvReLU", "LinearReLU", "LinearAdd", "Pools",
                      "Matmul", "Nested", "TwoHeads"):
            yield model, settings(ARM, set_global()), strict
        for model in ("LinearReLU", "LinearAdd", "Nested", "TwoHeads", "ConvReLU"):
            for kind in (X86, ARM, XNN):
                yield model, settings(kind, set_global({"is_dynamic": True})), strict
            yield model, settings(X86, set_global(), set_global({"is_dynamic": True})), strict
            yield model, settings(X86, set_global("linear_dynamic_fp16")), strict
        for config in (None, {"reduce_range": True}):
            for name in ("stem", "block", "block.conv", "", "head", "nothing"):
                yield "Nested", settings(X86, set_global(), of_name(X86, name, config)), strict
                yield "Nested", settings(X86, of_name(X86, name, config)), strict
        for model, call, kind in (
                ("Nested", "set_module_type_qconfig", "torch.nn.Conv2d"),
                ("Nested", "set_module_type_qconfig", "torch.nn.Linear"),
                ("Nested", "set_module_type_qconfig", "torch.nn.AdaptiveAvgPool2d"),
                ("Nested", "set_function_type_qconfig", "torch.nn.functional.conv2d"),
                ("Conv1dRelu", "set_module_type_qconfig", "torch.nn.Conv1d"),
                ("Conv1dRelu", "set_function_type_qconfig", "torch.nn.functional.conv1d"),
                ("Matmul", "set_function_type_qconfig", "torch.matmul"),
                ("Multiplied", "set_function_type_qconfig", "torch.mul"),
                ("Multiplied", "set_function_type_qconfig", "torch.add"),
                ("Concatenated", "set_function_type_qconfig", "torch.cat"),
                ("Pools", "set_module_type_qconfig", "torch.nn.MaxPool2d"),
                ("Pools", "set_function_type_qconfig", "torch.flatten")):
            for config in (None, {"reduce_range": True}):
                yield model, settings(X86, set_global(), of_type(call, kind, config)), strict
            yield model, settings(ARM, of_type(call, kind, {})), strict
        yield "Nested", settings(X86, of_name(X86, "block", {"is_qat": True}),
                                 set_global()), strict
        yield "Nested", settings(
            X86, set_global(), of_type("set_module_type_qconfig", "torch.nn.Conv2d", None),
            of_name(X86, "stem", {})), strict
        channels = {"is_per_channel": True}
        for model in ("Nested", "TwoHeads", "ConvBnReLU", "LinearTwiceApart"):
            yield model, settings(XNN, set_global(channels)), strict
        for name in ("stem", "block", "head", "", "s1", "s2"):
            model = "TwoHeads" if name.startswith("s") and name != "stem" else "Nested"
            yield model, settings(XNN, of_name(XNN, name, {})), strict
            yield model, settings(XNN, of_name(XNN, name, {}), set_global(channels)), strict
        yield "Nested", settings(XNN, of_name(XNN, "stem", None)), strict
        for kind in ("torch.nn.Conv2d", "torch.nn.Linear", "torch.nn.ReLU"):
            for config in (None, {}):
                yield "Nested", settings(
                    XNN, of_type("set_module_type", kind, config), set_global(channels)), strict
        yield "Nested", settings(
            XNN, of_type("set_operator_type", "aten.linear.default", {})), strict
        yield "Nested", settings(
            XNN, of_type("set_operator_type", "aten.linear.default", None),
            set_global({})), strict
        yield "Nested", settings(XNN, of_name(XNN, "head", {"is_dynamic": True})), strict
        yield "Nested", settings(
            XNN, of_name(XNN, "head", {}), set_global({"is_dynamic": True})), strict
        yield "Nested", settings(XNN, of_name(XNN, "head", {"is_qat": True})), strict
        both = [{"quantizer": "embedding"}, settings(X86, set_global())]
        yield "Embedded", {"quantizers": both}, strict
        yield "Embedded", {"quantizers": [{"quantizer": "embedding"},
                                          settings(XNN, set_global())]}, strict
        yield "Nested", {"quantizers": [
            settings(XNN, of_name(XNN, "head", {})), settings(X86, set_global())]}, strict
        yield "LinearReLU", {"quantizers": [
            settings(XNN, set_global()), settings(XNN, set_global(channels))]}, strict
        yield "Embedded", {"quantizers": [{"quantizer": "embedding"},
                                          {"quantizer": "embedding"}]}, strict


def lines_of(records):
    """Each program once, before the first case that is about it."""
    known = {}
    for record in records:
        program = {"strict": record["strict"], "nodes": record["nodes"]}
        text = json.dumps(program)
        if text not in known:
            known[text] = f"{record['model']}.{len(known)}"
            yield {"program": known[text], **program}
        yield {"case": known[text],
               **{k: v for k, v in record.items() if k not in ("model", "strict", "nodes")}}


def main():
    path = pathlib.Path(sys.argv[1])
    count = 0
    with path.open("w") as file:
        for line in lines_of(case(*one) for one in cases()):
            count += "case" in line
            print(json.dumps(line, separators=(",", ":")), file=file, flush=True)
    print(f"{count} cases in {path}")


if __name__ == "__main__":
    main()
