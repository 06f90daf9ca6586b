// Rows of real values for linear resizing, on every path.
#ifndef QCONFORM_KERNELS_UPSAMPLE_INTERPOLATE_ROWS_H_
#define QCONFORM_KERNELS_UPSAMPLE_INTERPOLATE_ROWS_H_

#include <cstdint>
#include <vector>

#include "kernels/requantize/real_parameters.h"
#include "kernels/target/path.h"
#include "reference/numerics/resampling.h"

namespace qconform::kernels {

// The sources of a row's pixels, each kind by itself.
struct InterpolatedPixels {
  explicit InterpolatedPixels(const std::vector<LinearSource>& sources);

  int64_t count() const { return static_cast<int64_t>(low.size()); }

  std::vector<int32_t> low, high;
  std::vector<float> below, above;
};

// Rows are pixels of `lanes` neighbouring values each. fma is exact on every path.
struct InterpolatedRows {
  // to[i] = the value of from[i]
  void (*read)(const uint8_t* from, int64_t count, const RealInputParameters& input,
               float* to);
  // Along a row: fma(below, from[low], above * from[high]) of each pixel.
  void (*along)(const float* from, int64_t lanes, const InterpolatedPixels& pixels,
                float* to);
  // Between two rows: fma(source.below, low[i], source.above * high[i]).
  void (*between)(const float* low, const float* high, int64_t count,
                  const LinearSource& source, float* to);
  // Both at once, by the products of the weights: as ResizeSmallPlane.
  void (*both)(const float* low, const float* high, int64_t lanes,
               const InterpolatedPixels& pixels, const LinearSource& source, float* to);
  void (*write)(const float* from, int64_t count, const RealOutputParameters& output,
                uint8_t* to);
};

const InterpolatedRows& InterpolatedRowsOf(Path path);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_UPSAMPLE_INTERPOLATE_ROWS_H_
