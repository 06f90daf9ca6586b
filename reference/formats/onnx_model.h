// ONNX models and tensors as plain structs, so that protobuf's headers stay in two files.
// Written for opset 17, the newest that Debian's libonnx 1.12 checks: QuantizeLinear with
// an axis (13), HardSwish (14) and LayerNormalization (17) are in it.
//
// Only what qconform writes is read: operators of the standard domain, tensors inside the
// file. Subgraphs, functions, sparse tensors and external data are refused, so that no
// path of a file is ever followed.
#ifndef QCONFORM_REFERENCE_FORMATS_ONNX_MODEL_H_
#define QCONFORM_REFERENCE_FORMATS_ONNX_MODEL_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/ir/ordered_map.h"
#include "reference/ir/tensor.h"

namespace qconform {

inline constexpr int64_t kOnnxOpset = 17;

struct OnnxAttribute {
  std::string name;
  std::variant<int64_t, float, std::string, std::vector<int64_t>, std::vector<float>>
      value;
  bool operator==(const OnnxAttribute&) const = default;
};

struct OnnxNode {
  std::string name;
  std::string op_type;
  std::vector<std::string> inputs;  // "": an absent optional one
  std::vector<std::string> outputs;
  std::vector<OnnxAttribute> attributes;
  bool operator==(const OnnxNode&) const = default;
};

struct OnnxValue {
  std::string name;
  DType dtype = DType::kFloat32;
  Shape shape;
  bool operator==(const OnnxValue&) const = default;
};

struct OnnxModel {
  std::string name;
  std::string producer;
  int64_t opset = kOnnxOpset;
  std::vector<OnnxValue> inputs;  // without the initializers
  std::vector<OnnxValue> outputs;
  std::vector<OnnxNode> nodes;  // in an order in which they can run
  OrderedMap<Tensor> initializers;
};

// The same model always gives the same bytes. Throws InputError beyond protobuf's 2 GiB,
// and for a dtype that ONNX has not.
std::string OnnxModelBytes(const OnnxModel& model);
// model.onnx. Throws InputError that begins with `name`.
OnnxModel ParseOnnxModel(std::string_view bytes, const std::string& name);

// A TensorProto, as in input_0.pb.
std::string OnnxTensorBytes(const std::string& tensor_name, const Tensor& tensor);
Tensor ParseOnnxTensor(std::string_view bytes, const std::string& name);

// Whether ONNX has tensors of this dtype.
bool HasOnnxDType(DType dtype);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FORMATS_ONNX_MODEL_H_
