// Convolution, transposed convolution and linear seen as one thing: sums over windows of
// a padded input. A transposed convolution is a convolution of the input spread out by
// its stride with the kernel turned around; a linear layer has windows of one element.
#ifndef QCONFORM_REFERENCE_NUMERICS_CONVOLUTION_PLAN_H_
#define QCONFORM_REFERENCE_NUMERICS_CONVOLUTION_PLAN_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "reference/numerics/scalar_call.h"
#include "reference/numerics/window.h"

namespace qconform {

struct ConvolutionPlan {
  int64_t batch = 1;
  int64_t groups = 1;
  int64_t channels = 1;  // of one group
  int64_t outputs = 1;   // of one group
  Spatial input{1, 1, 1};
  Spatial padded{1, 1, 1};
  Spatial output{1, 1, 1};
  Spatial kernel{1, 1, 1};
  Spatial stride{1, 1, 1};
  Spatial dilation{1, 1, 1};
  bool transposed = false;
  // By axis and place in the padded input: the input's index, or -1 for zero.
  std::array<std::vector<int64_t>, 3> source{};

  int64_t window_size() const { return kernel[0] * kernel[1] * kernel[2] * channels; }
  int64_t positions() const { return output[0] * output[1] * output[2]; }
};

// Answer with what is wrong about the shapes and attributes, or with nothing.
std::string PlanConvolution(const ScalarCall& call, ConvolutionPlan& plan);
std::string PlanLinear(const ScalarCall& call, ConvolutionPlan& plan);

// x [N, C, spatial] dense -> [N, group, padded spatial, channel of group]; zero where
// the padding is zero.
template <typename To, typename From>
std::vector<To> PadInput(const ConvolutionPlan& plan, const std::vector<From>& x) {
  const Spatial& p = plan.padded;
  const int64_t plane = plan.input[0] * plan.input[1] * plan.input[2];
  std::vector<To> padded(
      static_cast<size_t>(plan.batch * plan.groups * p[0] * p[1] * p[2] * plan.channels));
#pragma omp parallel for if (padded.size() > 32768)
  for (int64_t image = 0; image < plan.batch * plan.groups; ++image) {
    const From* from = x.data() + image * plan.channels * plane;
    To* to = padded.data() + image * p[0] * p[1] * p[2] * plan.channels;
    for (const int64_t d : plan.source[0]) {
      for (const int64_t h : plan.source[1]) {
        for (const int64_t w : plan.source[2]) {
          if (d >= 0 && h >= 0 && w >= 0) {
            const int64_t at = (d * plan.input[1] + h) * plan.input[2] + w;
            for (int64_t c = 0; c < plan.channels; ++c) {
              to[c] = static_cast<To>(from[c * plane + at]);
            }
          }
          to += plan.channels;
        }
      }
    }
  }
  return padded;
}

// w [O, C/g, kernel] dense, transposed [C, O/g, kernel] -> [O, kernel, channel of
// group], the kernel turned around if transposed.
template <typename To, typename From>
std::vector<To> ArrangeWeights(const ConvolutionPlan& plan, const std::vector<From>& w) {
  const int64_t kernel = plan.kernel[0] * plan.kernel[1] * plan.kernel[2];
  std::vector<To> arranged(w.size());
  if (kernel == 1 && !plan.transposed) {
    std::transform(w.begin(), w.end(), arranged.begin(),
                   [](From value) { return static_cast<To>(value); });
    return arranged;
  }
  const int64_t channel_step = kernel * (plan.transposed ? plan.outputs : 1);
  const int64_t tap_step = plan.transposed ? -1 : 1;
  To* to = arranged.data();
  for (int64_t o = 0; o < plan.groups * plan.outputs; ++o, to += kernel * plan.channels) {
    const int64_t group = o / plan.outputs;
    const int64_t first =
        plan.transposed
            ? (group * plan.channels * plan.outputs + o % plan.outputs + 1) * kernel - 1
            : o * plan.channels * kernel;
    for (int64_t c = 0; c < plan.channels; ++c) {
      const From* from = w.data() + first + c * channel_step;
      for (int64_t k = 0; k < kernel; ++k)
        to[k * plan.channels + c] = static_cast<To>(from[k * tap_step]);
    }
  }
  return arranged;
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_CONVOLUTION_PLAN_H_
