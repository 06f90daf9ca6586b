// Tensors between our structs and protobuf's, for the reader and the writer of models.
#ifndef QCONFORM_REFERENCE_FORMATS_ONNX_PROTO_H_
#define QCONFORM_REFERENCE_FORMATS_ONNX_PROTO_H_

#include <onnx/onnx_pb.h>

#include <optional>
#include <string>

#include "reference/ir/tensor.h"

namespace qconform {

std::optional<DType> DTypeOfOnnx(int32_t data_type);
// Throws InputError for a dtype that ONNX has not.
int32_t OnnxDType(DType dtype);

void FillTensorProto(const std::string& name, const Tensor& tensor,
                     onnx::TensorProto& proto);
// `where` names the tensor in messages. Throws InputError.
Tensor TensorOfProto(const onnx::TensorProto& proto, const std::string& where);

// At most 200 characters, none of them a line's end: names come from strangers' files.
std::string Printable(const std::string& text);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FORMATS_ONNX_PROTO_H_
