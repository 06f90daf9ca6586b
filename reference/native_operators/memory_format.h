// How torch's tensors lie in memory, beside ours, whose elements are always row-major.
#ifndef QCONFORM_REFERENCE_NATIVE_OPERATORS_MEMORY_FORMAT_H_
#define QCONFORM_REFERENCE_NATIVE_OPERATORS_MEMORY_FORMAT_H_

#include <map>
#include <optional>
#include <utility>

#include "reference/ir/tensor.h"

namespace qconform {

// In elements, one an axis.
using Strides = std::vector<int64_t>;

Strides RowMajorStrides(const Shape& shape);
// Axis 1 innermost: torch.channels_last of rank 4, torch.channels_last_3d of rank 5.
// Precondition: rank 2 or more.
Strides ChannelsLastStrides(const Shape& shape);

// A shape with torch's strides. An axis of one element may have any stride, so that a
// tensor can be contiguous in both formats; torch's operators then take what the strides
// suggest.
struct Placement {
  Shape shape;
  Strides strides;

  bool IsRowMajor() const;
  // Of rank 4 or 5: is_contiguous(torch.channels_last).
  bool IsChannelsLast() const;
  // Of rank 4 or 5, slices of such a tensor too. (suggest_memory_format)
  bool SuggestsChannelsLast() const;
  // Whether the elements fill their memory without gaps, in any order of the axes.
  bool IsDense() const;
  // The strides of the same memory under another shape; nullopt if torch's view refuses
  // it. (computeStride)
  std::optional<Strides> ViewAs(const Shape& other) const;
  // With an axis of one element before the last: how torch sees sequences as images.
  Placement AsImage() const;
};

// The strides of those tensors of a run that are not row-major. A tensor that has some is
// kept, so that no other one takes its place in memory.
class MemoryFormats {
 public:
  Placement Of(const Tensor& tensor) const;
  // Of a tensor that an operator made of `source`. It takes another storage if it shares
  // its own with one that lies otherwise.
  void Set(Tensor& tensor, const Strides& strides, const Tensor& source);

 private:
  struct Kept {
    Tensor tensor;
    Strides strides;
  };
  std::map<std::pair<const std::byte*, Shape>, Kept> kept_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_OPERATORS_MEMORY_FORMAT_H_
