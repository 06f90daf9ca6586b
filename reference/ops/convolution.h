// Convolution over one, two or three spatial axes.
#ifndef QCONFORM_REFERENCE_OPS_CONVOLUTION_H_
#define QCONFORM_REFERENCE_OPS_CONVOLUTION_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reference/ir/tensor.h"
#include "reference/ops/call.h"

namespace qconform {

struct ConvolutionSettings {
  std::vector<int64_t> stride;
  std::vector<int64_t> dilation;
  std::vector<std::pair<int64_t, int64_t>> padding;  // before and after each axis
  int64_t groups = 1;
  std::string padding_mode = "zeros";
};

// input [N, C, spatial...] or [C, spatial...], weight [out, C / groups, kernel...],
// bias [out] or nullptr; floating dtypes but float64. The sum runs over (channel,
// kernel position) in the weight's order, padding included as zeros; see
// column_product.h. Throws InputError through `call`.
Tensor Convolve(const Tensor& input, const Tensor& weight, const Tensor* bias,
                const ConvolutionSettings& settings, const Call& call);

// Throws InputError unless dtypes, ranks, channels and bias fit each other.
void CheckConvolution(const Tensor& input, const Tensor& weight, const Tensor* bias,
                      int64_t groups, int64_t in_channels, int64_t out_channels,
                      const Call& call);

struct TransposedSettings {
  std::vector<int64_t> stride;
  std::vector<int64_t> padding;
  std::vector<int64_t> output_padding;
  std::vector<int64_t> dilation;
  int64_t groups = 1;
};

// weight [C, out / groups, kernel...]. Computed as the convolution of the input with
// stride - 1 zeros between its elements by the flipped kernel.
Tensor ConvolveTransposed(const Tensor& input, const Tensor& weight, const Tensor* bias,
                          const TransposedSettings& settings, const Call& call);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_CONVOLUTION_H_
