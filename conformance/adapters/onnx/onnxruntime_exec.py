"""onnxruntime behind `exec:COMMAND`.

    qconform run --backend "exec:python onnxruntime_exec.py" --suite all

Needs `pip install onnxruntime onnx`. ORT_LEVEL=disable|basic|extended|all chooses how much
it optimizes (all, as it comes): with less it computes QDQ models in float, as they say.
"""

import os

import exec_folder
import onnxruntime

LEVELS = {
    "disable": onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL,
    "basic": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC,
    "extended": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED,
    "all": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL,
}


def options():
    chosen = onnxruntime.SessionOptions()
    chosen.graph_optimization_level = LEVELS[os.environ.get("ORT_LEVEL", "all")]
    chosen.intra_op_num_threads = int(os.environ.get("QCONFORM_THREADS", "1"))
    chosen.log_severity_level = 4
    # The exact kernel for u8 times s8 on machines without VNNI (microsoft/onnxruntime#16105).
    if os.environ.get("ORT_U8U8"):
        chosen.add_session_config_entry("session.x64quantprecision", "1")
    return chosen


def run(model, inputs):
    session = onnxruntime.InferenceSession(
        str(model), options(), providers=["CPUExecutionProvider"]
    )
    names = [value.name for value in session.get_inputs()]
    return session.run(None, dict(zip(names, inputs, strict=True)))


def compute(model, inputs):
    try:
        return run(model, inputs)
    except Exception as error:
        text = " ".join(str(error).split())
        # Some kernels say so only when they run, and as a failure.
        if "NOT_IMPLEMENTED" not in text and "not supported" not in text:
            raise
        raise exec_folder.Refused(text) from None


exec_folder.answer_all(compute)
