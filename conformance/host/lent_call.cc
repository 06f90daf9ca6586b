#include "conformance/host/lent_call.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace qconform {
namespace {

constexpr std::byte kFill{0x3C};
// The strictest of a descriptor's parts.
constexpr size_t kAlignment = 8;
// More than query and plan are called with until a call's first runs.
constexpr size_t kTakenBack = 128;

// Parts one behind the other. Without memory it only counts their bytes.
class Block {
 public:
  explicit Block(std::byte* memory) : memory_(memory) {}

  // The copy, or nullptr where there is no source or no memory.
  template <typename T>
  T* CopyBytes(const T* source, size_t bytes) {
    if (source == nullptr) return nullptr;
    const size_t at = bytes_;
    bytes_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (memory_ == nullptr) return nullptr;
    if (bytes > 0) std::memcpy(memory_ + at, source, bytes);
    return reinterpret_cast<T*>(memory_ + at);
  }
  template <typename T>
  T* CopyArray(const T* source, size_t count) {
    return CopyBytes(source, count * sizeof(T));
  }
  // As long as it says itself to be.
  template <typename T>
  T* CopyStruct(const T& source) {
    return CopyBytes(&source, source.size);
  }
  bool counts_only() const { return memory_ == nullptr; }
  size_t bytes() const { return bytes_; }

 private:
  std::byte* memory_;
  size_t bytes_ = 0;
};

qc_tensor* CopyTensor(Block& block, const qc_tensor& source) {
  const auto count = static_cast<size_t>(source.qparam_count);
  const float* const scale = block.CopyArray(source.scale, count);
  const int32_t* const zero_point = block.CopyArray(source.zero_point, count);
  const float* const zero_point_f32 = block.CopyArray(source.zero_point_f32, count);
  qc_tensor* const tensor = block.CopyStruct(source);
  if (tensor == nullptr) return nullptr;
  tensor->scale = scale;
  tensor->zero_point = zero_point;
  tensor->zero_point_f32 = zero_point_f32;
  return tensor;
}

const qc_tensor* const* CopyTensors(Block& block, const qc_tensor* const* sources,
                                    size_t count) {
  const qc_tensor** const tensors =
      block.CopyArray(const_cast<const qc_tensor**>(sources), count);
  for (size_t i = 0; i < count; ++i) {
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

Parts CopyParts(Block& block, const AbiView& view,
                const std::vector<const qc_tensor*>& sources) {
  const qc_descriptor& source = view.descriptor();
  qc_descriptor* const descriptor = block.CopyStruct(source);
  const qc_tensor** const constants =
      block.CopyArray(const_cast<const qc_tensor**>(sources.data()), sources.size());
  const qc_attributes* const attributes = block.CopyStruct(*source.attributes);
  const char* const scheme = block.CopyArray(
      source.scheme, source.scheme == nullptr ? 0 : std::strlen(source.scheme) + 1);
  // Those that are not counted, too.
  const auto inputs = CopyTensors(block, view.inputs().data(), view.inputs().size());
  const auto outputs =
      CopyTensors(block, source.outputs, static_cast<size_t>(source.output_count));
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
  CopyParts(sizes, view, constants);
  block_ = std::make_unique<GuardedBuffer>(
      sizes.bytes(), kAlignment, Placement::kFlushToEnd, kFill, "the descriptor");
  Block copies(block_->data());
  const Parts parts = CopyParts(copies, view, constants);
  descriptor_ = parts.descriptor;
  constants_ = parts.constants;
}

LentCall::~LentCall() {
  static auto* const taken_back =
      new std::array<std::unique_ptr<GuardedBuffer>, kTakenBack>;
  static size_t next = 0;
  (*taken_back)[next++ % kTakenBack] = std::move(block_);
}

}  // namespace qconform
