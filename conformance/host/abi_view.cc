#include "conformance/host/abi_view.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace qconform {
namespace {

qc_tensor Describe(const CallTensor& tensor, MemoryFormat format) {
  assert(tensor.shape.size() <= QC_MAX_RANK);
  qc_tensor view;
  std::memset(&view, 0, sizeof view);
  view.size = sizeof view;
  view.dtype = tensor.dtype;
  view.rank = static_cast<int32_t>(tensor.shape.size());
  view.quantized_axis = tensor.axis;
  const std::vector<int64_t> strides =
      StridesOf(tensor.shape, AbiItemSize(tensor.dtype),
                tensor.constant ? MemoryFormat::kContiguous : format);
  std::copy(tensor.shape.begin(), tensor.shape.end(), view.shape);
  std::copy(strides.begin(), strides.end(), view.stride);
  view.scale = tensor.scale.empty() ? nullptr : tensor.scale.data();
  view.zero_point = tensor.zero_point.empty() ? nullptr : tensor.zero_point.data();
  view.zero_point_f32 =
      tensor.zero_point_f32.empty() ? nullptr : tensor.zero_point_f32.data();
  view.qparam_count = static_cast<int64_t>(tensor.scale.size());
  view.quant_min = tensor.quant_min;
  view.quant_max = tensor.quant_max;
  return view;
}

}  // namespace

AbiView::AbiView(const OperatorCall& call, MemoryFormat format, Spelling spelling)
    : call_(call) {
  inputs_.resize(call.inputs.size());
  outputs_.resize(call.outputs.size());
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    if (call.inputs[i]) inputs_[i].of = Describe(*call.inputs[i], format);
    input_pointers_.push_back(call.inputs[i] ? &inputs_[i].of : nullptr);
  }
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    outputs_[i].of = Describe(call.outputs[i], format);
    output_pointers_.push_back(&outputs_[i].of);
    const_output_pointers_.push_back(&outputs_[i].of);
  }
  qc_descriptor& descriptor = descriptor_.of;
  std::memset(&descriptor, 0, sizeof descriptor);
  descriptor.size = sizeof descriptor;
  descriptor.kind = call.kind;
  attributes_.of = call.attributes;
  descriptor.attributes = &attributes_.of;
  descriptor.inputs = input_pointers_.data();
  descriptor.input_count = static_cast<int32_t>(inputs_.size());
  descriptor.output_count = static_cast<int32_t>(outputs_.size());
  descriptor.outputs = const_output_pointers_.data();
  descriptor.scheme = call.scheme.empty() ? nullptr : call.scheme.c_str();
  Spell(spelling);
}

std::vector<const qc_tensor*> AbiView::constants() const {
  std::vector<const qc_tensor*> constants(inputs_.size(), nullptr);
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (call_.inputs[i] && call_.inputs[i]->constant) constants[i] = input_pointers_[i];
  return constants;
}

std::string AbiView::Restore(const Tensors& tensors) {
  std::string changed;
  const auto restore = [&](const char* word, const std::vector<Roomy<qc_tensor>>& from,
                           std::vector<Roomy<qc_tensor>>& to) {
    for (size_t i = 0; i < from.size(); ++i) {
      if (std::memcmp(&from[i], &to[i], from[i].of.size) == 0) continue;
      if (changed.empty()) changed = word + std::to_string(i);
      std::memcpy(&to[i], &from[i], from[i].of.size);
    }
  };
  restore("input ", tensors.inputs, inputs_);
  restore("output ", tensors.outputs, outputs_);
  return changed;
}

void AbiView::PointAtData() {
  for (size_t i = 0; i < call_.inputs.size(); ++i) {
    if (!call_.inputs[i]) continue;
    // The ABI has one struct for what is read and what is written.
    input(i).data = const_cast<std::byte*>(call_.inputs[i]->data.data());
  }
}

}  // namespace qconform
