"""Writes the safetensors format: a JSON header with offsets, then raw little endian data."""

import json
import struct

NAMES = {
    "float32": "F32",
    "float64": "F64",
    "float16": "F16",
    "bfloat16": "BF16",
    "int8": "I8",
    "uint8": "U8",
    "int16": "I16",
    "int32": "I32",
    "int64": "I64",
    "bool": "BOOL",
}


def write(path, tensors):
    """tensors: name -> torch tensor. Larger elements come first, so that all are aligned."""
    header, data = {}, b""
    for name, tensor in sorted(tensors.items(), key=lambda t: (-t[1].element_size(), t[0])):
        raw = tensor.detach().cpu().contiguous().numpy().tobytes()
        header[name] = {
            "dtype": NAMES[str(tensor.dtype).removeprefix("torch.")],
            "shape": list(tensor.shape),
            "data_offsets": [len(data), len(data) + len(raw)],
        }
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
