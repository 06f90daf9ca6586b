// What a plan may keep of a descriptor: copies of all that it points at.
#ifndef QCONFORM_CONFORMANCE_ADAPTERS_OWNED_DESCRIPTOR_H_
#define QCONFORM_CONFORMANCE_ADAPTERS_OWNED_DESCRIPTOR_H_

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "kernels/abi/qconform_backend.h"

namespace qconform {

// A tensor with its qparams; with its data only if it is a constant.
class OwnedTensor {
 public:
  OwnedTensor(const qc_tensor& source, const qc_tensor* constant) {
    std::memcpy(&tensor_, &source, std::min<size_t>(source.size, sizeof tensor_));
    tensor_.size = sizeof tensor_;
    tensor_.data = nullptr;
    const auto count = static_cast<size_t>(tensor_.qparam_count);
    Keep(tensor_.scale, count, scale_);
    Keep(tensor_.zero_point, count, zero_point_);
    Keep(tensor_.zero_point_f32, count, zero_point_f32_);
    if (constant == nullptr) return;
    // Constants are contiguous; without elements they have no data.
    size_t bytes = ItemSize();
    for (int i = 0; i < tensor_.rank; ++i) bytes *= static_cast<size_t>(tensor_.shape[i]);
    const auto* from = static_cast<const char*>(constant->data);
    data_.assign(from, from + bytes);
    tensor_.data = data_.data();
  }
  OwnedTensor(OwnedTensor&&) = default;

  qc_tensor& get() { return tensor_; }
  const qc_tensor& get() const { return tensor_; }

 private:
  template <typename T>
  static void Keep(const T*& pointer, size_t count, std::vector<T>& kept) {
    if (pointer == nullptr) return;
    kept.assign(pointer, pointer + count);
    pointer = kept.data();
  }

  size_t ItemSize() const {
    switch (tensor_.dtype) {
      case QC_U8:
      case QC_S8:
      case QC_BOOL:
        return 1;
      case QC_F16:
      case QC_BF16:
      case QC_S16:
      case QC_U16:
        return 2;
      case QC_S64:
        return 8;
      default:
        return 4;
    }
  }

  qc_tensor tensor_ = {};
  std::vector<float> scale_;
  std::vector<int32_t> zero_point_;
  std::vector<float> zero_point_f32_;
  std::vector<char> data_;
};

class OwnedDescriptor {
 public:
  // constants: one pointer per input or nullptr, as plan gets them.
  OwnedDescriptor(const qc_descriptor& source, const qc_tensor* const* constants,
                  std::string scheme)
      : scheme_(std::move(scheme)) {
    std::memcpy(&attributes_, source.attributes,
                std::min<size_t>(source.attributes->size, sizeof attributes_));
    attributes_.size = sizeof attributes_;
    const auto inputs = static_cast<size_t>(source.input_count);
    const auto outputs = static_cast<size_t>(source.output_count);
    tensors_.reserve(inputs + outputs);
    for (size_t i = 0; i < inputs; ++i) {
      input_pointers_.push_back(nullptr);
      if (source.inputs[i] == nullptr) continue;
      tensors_.emplace_back(*source.inputs[i],
                            constants == nullptr ? nullptr : constants[i]);
      input_pointers_.back() = &tensors_.back().get();
    }
    for (size_t i = 0; i < outputs; ++i) {
      tensors_.emplace_back(*source.outputs[i], nullptr);
      output_pointers_.push_back(&tensors_.back().get());
    }
    descriptor_.size = sizeof descriptor_;
    descriptor_.kind = source.kind;
    descriptor_.attributes = &attributes_;
    descriptor_.inputs = input_pointers_.data();
    descriptor_.input_count = source.input_count;
    descriptor_.output_count = source.output_count;
    descriptor_.outputs = output_pointers_.data();
    descriptor_.scheme = scheme_.c_str();
  }
  OwnedDescriptor(const OwnedDescriptor&) = delete;

  const qc_descriptor& get() const { return descriptor_; }
  size_t input_count() const { return input_pointers_.size(); }
  size_t output_count() const { return output_pointers_.size(); }

  // The inputs of a run, with the constants that plan got.
  std::vector<const qc_tensor*> WithConstants(const qc_tensor* const* inputs) const {
    std::vector<const qc_tensor*> merged(inputs, inputs + input_count());
    for (size_t i = 0; i < merged.size(); ++i) {
      const qc_tensor* own = input_pointers_[i];
      // A constant without elements has no data but is there all the same.
      if (merged[i] == nullptr || (own != nullptr && own->data != nullptr))
        merged[i] = own;
    }
    return merged;
  }

 private:
  qc_attributes attributes_ = {};
  std::string scheme_;
  std::vector<OwnedTensor> tensors_;
  std::vector<const qc_tensor*> input_pointers_;
  std::vector<const qc_tensor*> output_pointers_;
  qc_descriptor descriptor_ = {};
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_ADAPTERS_OWNED_DESCRIPTOR_H_
