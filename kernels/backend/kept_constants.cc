#include "kernels/backend/kept_constants.h"

#include <cstring>

#include "reference/numerics/abi_tensor.h"

namespace qconform::kernels {
namespace {

// Of a contiguous tensor; rows of pairs end with a whole byte.
int64_t ContiguousBytes(const qc_tensor& tensor) {
  if (!IsPacked(tensor)) return ElementCount(tensor) * ElementBytes(tensor.dtype);
  int64_t bytes = (tensor.shape[tensor.rank - 1] + 1) / 2;
  for (int i = 0; i + 1 < tensor.rank; ++i) bytes *= tensor.shape[i];
  return bytes;
}

}  // namespace

KeptConstants::KeptConstants(const PlanRequest& request) {
  const qc_descriptor& descriptor = request.descriptor;
  for (int i = 1; i < descriptor.input_count; ++i) {
    copies_.push_back(nullptr);
    if (descriptor.inputs[i] == nullptr) {
      sources_.push_back(Source::kAbsent);
      continue;
    }
    const qc_tensor* const constant = request.Constant(i);
    sources_.push_back(constant == nullptr ? Source::kRun : Source::kConstant);
    if (constant == nullptr) {
      complete_ = false;
      continue;
    }
    auto copy = std::make_unique<Copy>();
    copy->tensor = *constant;
    // Constants are contiguous.
    copy->data.resize(static_cast<size_t>(ContiguousBytes(*constant)));
    if (!copy->data.empty())
      std::memcpy(copy->data.data(), constant->data, copy->data.size());
    copy->tensor.data = copy->data.data();
    if (constant->scale != nullptr) {
      copy->scale.assign(constant->scale, constant->scale + constant->qparam_count);
      copy->tensor.scale = copy->scale.data();
    }
    if (constant->zero_point != nullptr) {
      copy->zero_point.assign(constant->zero_point,
                              constant->zero_point + constant->qparam_count);
      copy->tensor.zero_point = copy->zero_point.data();
    }
    if (constant->zero_point_f32 != nullptr) {
      copy->zero_point_f32.assign(constant->zero_point_f32,
                                  constant->zero_point_f32 + constant->qparam_count);
      copy->tensor.zero_point_f32 = copy->zero_point_f32.data();
    }
    copies_.back() = std::move(copy);
  }
}

const qc_tensor* KeptConstants::Get(int input, const qc_tensor* const* run_inputs) const {
  const auto i = static_cast<size_t>(input - 1);
  if (i >= sources_.size() || sources_[i] == Source::kAbsent) return nullptr;
  return sources_[i] == Source::kConstant ? &copies_[i]->tensor : run_inputs[input];
}

}  // namespace qconform::kernels
