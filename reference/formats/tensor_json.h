// Tensors in JSON: {"dtype", "shape", "b64"} with the raw little-endian bytes in
// base64, or {"dtype", "shape", "tensor"} with the name of an entry of a safetensors
// file. "v" repeats the values of up to 8 elements for readers.
//
// Quantized tensors (quint8, qint8, qint32, quint4x2, quint2x4) add "scale" and
// "zero_point", or "scales", "zero_points" (tensors themselves) and "axis". Their codes
// are stored as uint8, int8 or int32; quint4x2 and quint2x4 keep one code a byte.
#ifndef QCONFORM_REFERENCE_FORMATS_TENSOR_JSON_H_
#define QCONFORM_REFERENCE_FORMATS_TENSOR_JSON_H_

#include "reference/formats/json_file.h"
#include "reference/ir/ordered_map.h"
#include "reference/ir/tensor.h"

namespace qconform {

// Up to so many elements a tensor is written inline, with its values.
inline constexpr int64_t kMaxInlineElements = 8;

// True if the object is a tensor (has "dtype" and "shape").
bool IsTensorJson(const ordered_json& value);

// `named` resolves "tensor"; nullptr refuses it. Throws InputError on a wrong size, a
// shape that no memory holds, a code outside its dtype, "v" that contradicts the bytes,
// and on scales that are not finite and positive.
Tensor TensorFromJson(const ordered_json& value, const JsonOrigin& origin,
                      const OrderedMap<Tensor>* named = nullptr);

// Inline. A quantized dtype without parameters is written without them.
ordered_json TensorToJson(const Tensor& tensor);

// Inline up to kMaxInlineElements; else the codes go into `named` under `name`, as a
// plain dtype.
ordered_json TensorToJson(const Tensor& tensor, const std::string& name,
                          OrderedMap<Tensor>& named);

// float8 has no values here, only bytes.
bool HasReadableValues(DType dtype);

// The plain dtype in which codes of `dtype` are stored; dtype itself if not quantized.
DType StorageDType(DType dtype);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FORMATS_TENSOR_JSON_H_
