// Where the elements of a dense row-major tensor go in another memory format.
#ifndef QCONFORM_CONFORMANCE_HOST_MEMORY_FORMAT_H_
#define QCONFORM_CONFORMANCE_HOST_MEMORY_FORMAT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reference/ir/tensor.h"

namespace qconform {

enum class MemoryFormat : uint8_t {
  kContiguous,
  kChannelsLast,
  // Only for any stride. One gap each, so that each is seen alone; a gap is no multiple
  // of any vector's length.
  kPadded,     // channels last, after every pixel's channels
  kRowGaps,    // after every run of the last dimension
  kPlaneGaps,  // of the last two
  kImageGaps,  // of all but the first
  kPermuted,   // dense, the dimensions in reverse order
  kApart,      // after every element
};

std::string MemoryFormatName(MemoryFormat format);

// Formats that an answer's memory_formats bits allow for a tensor of this rank;
// channels last needs at least three dimensions. Nothing set means contiguous. `strided`
// stands for all that only any stride allows.
std::vector<MemoryFormat> AllowedFormats(uint32_t bits, int rank, MemoryFormat strided);

// Those that only any stride allows, and that differ at this rank.
std::vector<MemoryFormat> StridedFormats(int rank);

// Byte strides of every dimension. Channels last applies to ranks of three and more;
// where a rank has no such gap it is the next smaller one.
std::vector<int64_t> StridesOf(const Shape& shape, size_t item_size, MemoryFormat format);

// Bytes from the first to the end of the last element; 0 without elements.
size_t ExtentOf(const Shape& shape, const std::vector<int64_t>& strides,
                size_t item_size);

// dense -> strided and back.
void Scatter(std::span<const std::byte> dense, const Shape& shape,
             const std::vector<int64_t>& strides, size_t item_size, std::byte* strided);
void Gather(const std::byte* strided, const Shape& shape,
            const std::vector<int64_t>& strides, size_t item_size,
            std::span<std::byte> dense);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_MEMORY_FORMAT_H_
