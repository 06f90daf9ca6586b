// Means by way of integer sums, which no order changes: right wherever float32 sums in
// the definition's order cannot round to another code.
#ifndef QCONFORM_KERNELS_POOL_INTEGER_MEANS_H_
#define QCONFORM_KERNELS_POOL_INTEGER_MEANS_H_

#include <cstdint>
#include <cstring>
#include <optional>

#include "kernels/pool/mean_columns.h"
#include "kernels/requantize/real_parameters.h"
#include "kernels/target/path.h"

namespace qconform::kernels {

// The most additions that one element goes through in this order.
int64_t MostAdditions(MeanOrder order, int64_t width);

class IntegerMeans {
 public:
  // Means of `width` elements. None where float32 could be off by too much to decide
  // most codes, where sums leave 32 bits, or where there is nothing to win.
  static std::optional<IntegerMeans> Of(const RealInputParameters& input,
                                        const RealOutputParameters& output, int64_t width,
                                        int64_t additions, Path path);

  // Whether it sums elements that lie like this: columns side by side, or each mean's
  // elements.
  static bool Sums(const MeanColumns& columns);

  // The means of `columns`. exact(i): called for means whose code is not certain, and has
  // to write it.
  template <typename Exact>
  void Run(const MeanColumns& columns, const Exact& exact) const {
    for (int64_t first = 0; first < columns.count; first += kBlock) {
      MeanColumns block = columns;
      block.input += first * columns.column_stride;
      block.output += first * columns.output_stride;
      block.count = columns.count - first < kBlock ? columns.count - first : kBlock;
      int32_t sums[kBlock];
      if (block.count < kBlock) std::memset(sums, 0, sizeof sums);
      uint8_t codes[kBlock], doubts[kBlock];
      sum_(block, flip_, sums);
      const bool certain = finish_(*this, sums, codes, doubts);
      if (block.output_stride == 1) {
        std::memcpy(block.output, codes, static_cast<size_t>(block.count));
      } else {
        for (int64_t i = 0; i < block.count; ++i)
          block.output[i * block.output_stride] = codes[i];
      }
      if (certain) continue;
      for (int64_t i = 0; i < block.count; ++i)
        if (doubts[i] != 0) exact(first + i);
    }
  }

 private:
  static constexpr int64_t kBlock = 64;  // a cache line of columns
  friend struct IntegerMeanKernels;

  using Sum = void (*)(const MeanColumns& columns, uint8_t flip, int32_t* sums);
  // False where a code is not certain.
  using Finish = bool (*)(const IntegerMeans& means, const int32_t* sums, uint8_t* codes,
                          uint8_t* doubts);

  uint8_t flip_ = 0;
  int32_t zero_ = 0;      // of a whole sum
  float multiplier_ = 1;  // from sums to codes
  float certain_ = 0;     // so far from a whole number the code is certain
  RealOutputParameters output_;
  Sum sum_ = nullptr;
  Finish finish_ = nullptr;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_POOL_INTEGER_MEANS_H_
