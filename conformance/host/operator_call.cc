#include "conformance/host/operator_call.h"

#include <cassert>
#include <cstring>
#include <limits>

#include "reference/ir/error.h"
#include "reference/lower/operator_kind_names.h"

namespace qconform {
namespace {

struct DTypeEntry {
  qc_dtype abi;
  const char* name;
  DType plain;
  size_t size;
};

constexpr DTypeEntry kDTypes[] = {
    {QC_F32, "f32", DType::kFloat32, 4}, {QC_U8, "u8", DType::kUInt8, 1},
    {QC_S8, "s8", DType::kInt8, 1},      {QC_S32, "s32", DType::kInt32, 4},
    {QC_F16, "f16", DType::kFloat16, 2}, {QC_BF16, "bf16", DType::kBFloat16, 2},
    {QC_S16, "s16", DType::kInt16, 2},   {QC_U16, "u16", DType::kUInt16, 2},
    {QC_S64, "s64", DType::kInt64, 8},   {QC_BOOL, "bool", DType::kBool, 1},
};

const DTypeEntry* Find(qc_dtype dtype) {
  for (const DTypeEntry& entry : kDTypes)
    if (entry.abi == dtype) return &entry;
  return nullptr;
}

}  // namespace

size_t CallTensor::byte_size() const {
  return static_cast<size_t>(NumElements(shape)) * AbiItemSize(dtype);
}

qc_attributes EmptyAttributes() {
  qc_attributes attributes;
  std::memset(&attributes, 0, sizeof attributes);
  attributes.size = sizeof attributes;
  return attributes;
}

size_t AbiItemSize(qc_dtype dtype) {
  const DTypeEntry* entry = Find(dtype);
  assert(entry != nullptr);
  return entry->size;
}

std::string AbiDTypeName(qc_dtype dtype) {
  const DTypeEntry* entry = Find(dtype);
  return entry == nullptr ? "?" : entry->name;
}

std::optional<qc_dtype> ParseAbiDType(const std::string& name) {
  for (const DTypeEntry& entry : kDTypes)
    if (name == entry.name) return entry.abi;
  return std::nullopt;
}

std::optional<qc_dtype> AbiDTypeOf(DType dtype) {
  if (dtype == DType::kQUInt8) return QC_U8;
  if (dtype == DType::kQInt8) return QC_S8;
  if (dtype == DType::kQInt32) return QC_S32;
  for (const DTypeEntry& entry : kDTypes)
    if (entry.plain == dtype) return entry.abi;
  return std::nullopt;
}

DType PlainDTypeOf(qc_dtype dtype) {
  const DTypeEntry* entry = Find(dtype);
  assert(entry != nullptr);
  return entry->plain;
}

CodeBounds BoundsOf(const CallTensor& tensor) {
  if (tensor.quant_min != tensor.quant_max) return {tensor.quant_min, tensor.quant_max};
  switch (tensor.dtype) {
    case QC_U8:
      return {0, 255};
    case QC_S8:
      return {-128, 127};
    case QC_S16:
      return {std::numeric_limits<int16_t>::min(), std::numeric_limits<int16_t>::max()};
    case QC_U16:
      return {0, std::numeric_limits<uint16_t>::max()};
    default:
      return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
  }
}

std::string OperatorName(qc_operator_kind kind, const qc_attributes& attributes) {
  // Zero is no kind; it wraps round to one that is too large.
  const size_t index = static_cast<size_t>(kind) - 1;
  std::string name(index < kOperatorKindNames.size() ? kOperatorKindNames[index]
                                                     : "unknown");
  const bool spatial = kind == QC_CONV || kind == QC_CONV_TRANSPOSE ||
                       kind == QC_MAX_POOL || kind == QC_AVG_POOL;
  if (spatial) name += std::to_string(attributes.spatial_rank) + "d";
  return name;
}

size_t InputBytes(const OperatorCall& call) {
  size_t bytes = 0;
  for (const auto& input : call.inputs) bytes += input ? input->data.size() : 0;
  return bytes;
}

CallTensor CallTensorFrom(const Tensor& tensor) {
  auto dtype = AbiDTypeOf(tensor.dtype());
  if (!dtype) {
    throw InputError("tensor", "dtype " + std::string(DTypeName(tensor.dtype())) +
                                   " has no counterpart in the ABI");
  }
  CallTensor call;
  call.dtype = *dtype;
  call.shape = tensor.shape();
  if (const auto& quantization = tensor.quantization()) {
    call.scale.assign(quantization->scale.begin(), quantization->scale.end());
    call.zero_point.assign(quantization->zero_point.begin(),
                           quantization->zero_point.end());
    call.axis = quantization->axis;
  }
  call.data.assign(tensor.bytes(), tensor.bytes() + tensor.byte_size());
  return call;
}

Tensor TensorFrom(const CallTensor& call) {
  Tensor tensor(PlainDTypeOf(call.dtype), call.shape);
  assert(call.data.size() == tensor.byte_size());
  if (!call.data.empty()) std::memcpy(tensor.bytes(), call.data.data(), call.data.size());
  return tensor;
}

}  // namespace qconform
