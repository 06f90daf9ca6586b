// One call of one operator with all its data: what a case is made of, what goes
// over the wire to the worker, and what the reference computes. Data are dense and
// row-major here; other memory formats are made by AbiView.
#ifndef QCONFORM_CONFORMANCE_HOST_OPERATOR_CALL_H_
#define QCONFORM_CONFORMANCE_HOST_OPERATOR_CALL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "reference/ir/tensor.h"

namespace qconform {

struct CallTensor {
  qc_dtype dtype = QC_F32;
  Shape shape;
  std::vector<float> scale;  // empty: not quantized
  std::vector<int32_t> zero_point;
  std::vector<float> zero_point_f32;  // of an embedding's table, instead of zero_point
  int axis = -1;                      // -1: per tensor
  int32_t quant_min = 0;              // (0, 0): the whole range of the dtype
  int32_t quant_max = 0;
  bool constant = false;
  std::vector<std::byte> data;  // empty for outputs that are not known yet

  // Bytes that dense data take.
  size_t byte_size() const;
};

struct OperatorCall {
  qc_operator_kind kind = QC_CONV;
  qc_attributes attributes = {};
  std::vector<std::optional<CallTensor>> inputs;  // nullopt: an absent optional input
  std::vector<CallTensor> outputs;
  std::string scheme;  // asked for; empty: the backend's own
};

// Attributes with their size set and everything else zero.
qc_attributes EmptyAttributes();

// Bytes of one element. Precondition: no packed 4-bit dtype.
size_t AbiItemSize(qc_dtype dtype);

// "u8", "f32"; "?" for an unknown one.
std::string AbiDTypeName(qc_dtype dtype);
std::optional<qc_dtype> ParseAbiDType(const std::string& name);

// uint8 and quint8 are both QC_U8. nullopt: the ABI has no such dtype.
std::optional<qc_dtype> AbiDTypeOf(DType dtype);
DType PlainDTypeOf(qc_dtype dtype);

// [min, max] of the codes: quant_min and quant_max, or the range of the dtype.
struct CodeBounds {
  int64_t min;
  int64_t max;
};
CodeBounds BoundsOf(const CallTensor& tensor);

// Of all inputs, constants too.
size_t InputBytes(const OperatorCall& call);

// "conv2d", "conv1d", "linear", "max_pool", ...
std::string OperatorName(qc_operator_kind kind, const qc_attributes& attributes);

// Copies the data; `tensor`'s quantization parameters come along.
CallTensor CallTensorFrom(const Tensor& tensor);
// A plain tensor (uint8, float32, ...) with a copy of the data.
Tensor TensorFrom(const CallTensor& tensor);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_OPERATOR_CALL_H_
