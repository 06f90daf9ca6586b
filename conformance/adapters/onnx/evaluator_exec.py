"""The reference evaluator of the onnx package behind `exec:COMMAND`.

    qconform run --backend "exec:python evaluator_exec.py" --suite all

Needs `pip install onnx`. It has the conversions from opset 19 on, where they say the same
of codes of eight bits, so the model is read as one of opset 21.
"""

import exec_folder
import onnx
from onnx.reference import ReferenceEvaluator


def compute(model, inputs):
    proto = onnx.load(model)
    try:
        proto = onnx.version_converter.convert_version(proto, 21)
    except Exception as error:
        raise exec_folder.Refused(" ".join(str(error).split())) from None
    evaluator = ReferenceEvaluator(proto)
    return evaluator.run(None, dict(zip(evaluator.input_names, inputs, strict=True)))


exec_folder.answer_all(compute)
