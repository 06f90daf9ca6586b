"""Folders of ONNX's backend tests from `exec:COMMAND`, as conformance/host/exec_folder.h
describes them.

A command in Python is a function from a model file and its input arrays to output arrays;
`answer_all` does the rest, and stays for the folders that follow.
"""

import pathlib
import sys

import numpy as np
import onnx
from onnx import numpy_helper


class Refused(Exception):
    """The model is not one that this runtime runs; the text says why."""


def read_tensors(folder, kind):
    tensors = []
    while (file := folder / "test_data_set_0" / f"{kind}_{len(tensors)}.pb").exists():
        proto = onnx.TensorProto()
        proto.ParseFromString(file.read_bytes())
        tensors.append(numpy_helper.to_array(proto))
    return tensors


def answer(folder, compute):
    outputs = compute(folder / "model.onnx", read_tensors(folder, "input"))
    for index, output in enumerate(outputs):
        proto = numpy_helper.from_array(np.asarray(output))
        file = folder / "test_data_set_0" / f"output_{index}.pb"
        file.write_bytes(proto.SerializeToString())


def folders():
    """The folder of the command line, then those that the host hands over."""
    yield sys.argv[1]
    for line in sys.stdin:
        yield line.rstrip("\n")


def answer_all(compute):
    for name in folders():
        folder = pathlib.Path(name)
        try:
            answer(folder, compute)
        except Refused as refusal:
            (folder / "refused.txt").write_text(f"{refusal}\n")
        (folder / "done").touch()
