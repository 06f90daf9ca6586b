// Weights in the order in which the kernels read them.
#ifndef QCONFORM_KERNELS_CONV_PACKED_WEIGHT_H_
#define QCONFORM_KERNELS_CONV_PACKED_WEIGHT_H_

#include <cstdint>
#include <vector>

#include "kernels/conv/columns.h"
#include "kernels/layout/aligned_bytes.h"

namespace qconform::kernels {

// One matrix [channels][reduction] for each group, every section's blocks as
// [block][reduction / group size][vector][lane][reduction % group size].
// A column takes `reduction` elements wherever it lies, so the block that starts at
// channel c of group g begins at element (g * columns.padded + c) * reduction.
struct PackedWeight {
  AlignedBytes data;
  int64_t reduction = 0;             // padded to whole instructions
  std::vector<int32_t> channel_sum;  // [groups * columns.padded] sum of the weights

  template <typename T>
  const T* Block(const Columns& columns, int64_t group, int64_t channel) const {
    return data.As<T>() + (group * columns.padded + channel) * reduction;
  }
};

// weight(group, channel, k): one centred weight, k < reduction; called only for
// channels that exist. T is int16_t or int8_t.
template <typename T, typename Weight>
PackedWeight PackWeight(const Columns& columns, int64_t groups, int64_t channels,
                        int64_t reduction, int instruction_group, Weight weight) {
  PackedWeight packed;
  packed.reduction = reduction;
  packed.data = AlignedBytes(sizeof(T) * groups * columns.padded * reduction);
  packed.channel_sum.assign(groups * columns.padded, 0);
  for (int64_t g = 0; g < groups; ++g) {
    for (const Section& section : columns.sections) {
      const int64_t block = section.tile.Block();
      T* const begin =
          packed.data.As<T>() + (g * columns.padded + section.first) * reduction;
      for (int64_t i = 0; i < section.blocks * block; ++i) {
        const int64_t channel = section.first + i;
        if (channel >= channels) break;
        T* const column =
            begin + i / block * block * reduction + i % block * instruction_group;
        uint32_t sum = 0;  // wraps as the accumulators do
        for (int64_t k = 0; k < reduction; ++k) {
          const int32_t value = weight(g, channel, k);
          column[k / instruction_group * instruction_group * block +
                 k % instruction_group] = static_cast<T>(value);
          sum += static_cast<uint32_t>(value);
        }
        packed.channel_sum[g * columns.padded + channel] = static_cast<int32_t>(sum);
      }
    }
  }
  return packed;
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_CONV_PACKED_WEIGHT_H_
