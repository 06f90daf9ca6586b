// The memory of a program's values: one block, in which each has its planned place.
#ifndef QCONFORM_CONFORMANCE_HOST_VALUE_STORAGE_H_
#define QCONFORM_CONFORMANCE_HOST_VALUE_STORAGE_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "conformance/host/memory_format.h"
#include "reference/ir/tensor.h"
#include "reference/lower/program.h"

namespace qconform {

// Memory from a 64-byte boundary on (a larger one if asked), every page of it touched.
class AlignedBytes {
 public:
  explicit AlignedBytes(size_t bytes = 0, size_t alignment = 64);

  std::byte* data() const { return data_.get(); }

 private:
  struct Free {
    size_t alignment;
    void operator()(std::byte* data) const;
  };
  std::unique_ptr<std::byte, Free> data_;
};

// How the output of a step may lie over its first input.
enum class Sharing {
  kNone,
  kInPlace,  // if nobody reads the input any more: qc_answer.may_alias
  kView,     // the same bytes under another shape; nothing is to be run
};

// Whether the step moves no byte: a reshape of one block without rescaling.
bool IsView(const Program& program, const ProgramStep& step,
            const std::vector<MemoryFormat>& formats);

class ValueStorage {
 public:
  ValueStorage() = default;
  // `formats`: a value each; `sharing`: a step each. The program's inputs and constants
  // take no place in the block; its outputs live to the end. Both vectors are copied, the
  // program must outlive this.
  ValueStorage(const Program& program, const std::vector<MemoryFormat>& formats,
               const std::vector<Sharing>& sharing);

  // The caller's memory, and a constant's own, are never written.
  void SetInput(int value, const Tensor& tensor);
  std::byte* At(int value) const { return at_[static_cast<size_t>(value)]; }
  const std::vector<int64_t>& StridesOf(int value) const {
    return strides_[static_cast<size_t>(value)];
  }

  // Dense and row-major.
  Tensor Read(int value) const;
  void Write(int value, const Tensor& tensor);

  // Of the block, and of all values in it if each had memory of its own.
  size_t planned_bytes() const { return planned_bytes_; }
  size_t separate_bytes() const { return separate_bytes_; }
  // Outputs that lie where their step's first input lay.
  int shared() const { return shared_; }

 private:
  const Program* program_ = nullptr;
  std::vector<std::vector<int64_t>> strides_;
  std::vector<std::byte*> at_;
  AlignedBytes block_;
  size_t planned_bytes_ = 0;
  size_t separate_bytes_ = 0;
  int shared_ = 0;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_VALUE_STORAGE_H_
