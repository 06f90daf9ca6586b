// One operator as a model of onnxruntime's quantized operators, images with their
// channels last.
#ifndef QCONFORM_CONFORMANCE_ADAPTERS_ONNXRUNTIME_OPERATOR_MODEL_H_
#define QCONFORM_CONFORMANCE_ADAPTERS_ONNXRUNTIME_OPERATOR_MODEL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/abi/qconform_backend.h"

namespace qconform::onnxruntime {

struct OperatorModel {
  std::string bytes;                            // a serialized ModelProto
  std::vector<int64_t> source, second, result;  // shapes as the model has them
};

// QLinearConv of the domain com.microsoft with channels_last, QGemm or QLinearMatMul, and
// a Clip where the dtype's range does not do it; QLinearAdd of flat tensors, NhwcMaxPool,
// QLinearGlobalAveragePool. Precondition: the check of its kind in peer_call.h finds
// nothing. `u8_weights`: beside a u8 input, codes and zero points 128 higher, for which
// onnxruntime has exact kernels without VNNI too; a second activation stays as it is.
OperatorModel MakeOperatorModel(const qc_descriptor& descriptor,
                                const qc_tensor* const* constants, bool u8_weights);

// ONNX's number of the dtype: u8 or s8.
int CodeType(const qc_tensor& tensor);

}  // namespace qconform::onnxruntime

#endif  // QCONFORM_CONFORMANCE_ADAPTERS_ONNXRUNTIME_OPERATOR_MODEL_H_
