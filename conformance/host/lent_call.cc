#include "conformance/host/lent_call.h"

#include <cstddef>
#include <cstring>
#include <vector>

namespace qconform {
namespace {

constexpr std::byte kFill{0x3C};
// The strictest of a descriptor's parts.
constexpr size_t kAlignment = 8;

// Parts one behind the other. Without memory it only counts their bytes.
class Block {
 public:
  explicit Block(std::byte* memory) : memory_(memory) {}

  // The copy, or nullptr where there is no source or no memory.
  template <typename T>
  T* Copy(const T* source, size_t count) {
    if (source == nullptr) return nullptr;
    const size_t at = bytes_;
    bytes_ += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    if (memory_ == nullptr) return nullptr;
    if (count > 0) std::memcpy(memory_ + at, source, count * sizeof(T));
    return reinterpret_cast<T*>(memory_ + at);
  }
  bool counts_only() const { return memory_ == nullptr; }
  size_t bytes() const { return bytes_; }

 private:
  std::byte* memory_;
  size_t bytes_ = 0;
};

qc_tensor* CopyTensor(Block& block, const qc_tensor& source) {
  const auto count = static_cast<size_t>(source.qparam_count);
  const float* const scale = block.Copy(source.scale, count);
  const int32_t* const zero_point = block.Copy(source.zero_point, count);
  const float* const zero_point_f32 = block.Copy(source.zero_point_f32, count);
  qc_tensor* const tensor = block.Copy(&source, 1);
  if (tensor == nullptr) return nullptr;
  tensor->scale = scale;
  tensor->zero_point = zero_point;
  tensor->zero_point_f32 = zero_point_f32;
  return tensor;
}

const qc_tensor* const* CopyTensors(Block& block, const qc_tensor* const* sources,
                                    int32_t count) {
  const auto size = static_cast<size_t>(count);
  const qc_tensor** const tensors =
      block.Copy(const_cast<const qc_tensor**>(sources), size);
  for (size_t i = 0; i < size; ++i) {
    if (sources[i] == nullptr) continue;
    const qc_tensor* const tensor = CopyTensor(block, *sources[i]);
    if (tensors != nullptr) tensors[i] = tensor;
  }
  return tensors;
}

struct Parts {
  qc_descriptor* descriptor;
  const qc_tensor* const* constants;
};

Parts CopyParts(Block& block, const qc_descriptor& source,
                const std::vector<const qc_tensor*>& sources) {
  qc_descriptor* const descriptor = block.Copy(&source, 1);
  const qc_tensor** const constants = block.Copy(sources.data(), sources.size());
  const qc_attributes* const attributes = block.Copy(source.attributes, 1);
  const char* const scheme = block.Copy(
      source.scheme, source.scheme == nullptr ? 0 : std::strlen(source.scheme) + 1);
  const auto inputs = CopyTensors(block, source.inputs, source.input_count);
  const auto outputs = CopyTensors(block, source.outputs, source.output_count);
  if (block.counts_only()) return {};
  descriptor->attributes = attributes;
  descriptor->scheme = scheme;
  descriptor->inputs = inputs;
  descriptor->outputs = outputs;
  for (size_t i = 0; i < sources.size(); ++i)
    if (constants[i] != nullptr) constants[i] = inputs[i];
  return {descriptor, constants};
}

}  // namespace

LentCall::LentCall(const AbiView& view) {
  const std::vector<const qc_tensor*> constants = view.constants();
  Block sizes(nullptr);
  CopyParts(sizes, view.descriptor(), constants);
  block_.emplace(sizes.bytes(), kAlignment, Placement::kFlushToEnd, kFill,
                 "the descriptor");
  Block copies(block_->data());
  const Parts parts = CopyParts(copies, view.descriptor(), constants);
  descriptor_ = parts.descriptor;
  constants_ = parts.constants;
}

}  // namespace qconform
