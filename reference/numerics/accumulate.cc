#include "reference/numerics/accumulate.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "reference/numerics/vector_lanes.h"

namespace qconform {
namespace {

// As many outputs share one pass over the input.
constexpr int64_t kBlock = 4;
// 8-bit codes without their zero point.
constexpr int64_t kLargestCentered = 255;

// sums[j] = x . row j of w. Plain loops, which compilers turn into pairwise
// multiply-adds.
template <typename Sum>
QCONFORM_INLINE void Dot(const int16_t* x, const int16_t* w, int64_t count,
                         int64_t length, Sum* sums) {
  if (count == kBlock) {
    Sum a = 0, b = 0, c = 0, d = 0;
    const int16_t* w1 = w + length;
    const int16_t* w2 = w1 + length;
    const int16_t* w3 = w2 + length;
    for (int64_t i = 0; i < length; ++i) {
      a += static_cast<Sum>(x[i]) * w[i];
      b += static_cast<Sum>(x[i]) * w1[i];
      c += static_cast<Sum>(x[i]) * w2[i];
      d += static_cast<Sum>(x[i]) * w3[i];
    }
    sums[0] = a;
    sums[1] = b;
    sums[2] = c;
    sums[3] = d;
    return;
  }
  for (int64_t j = 0; j < count; ++j) {
    Sum sum = 0;
    for (int64_t i = 0; i < length; ++i)
      sum += static_cast<Sum>(x[i]) * w[j * length + i];
    sums[j] = sum;
  }
}

// The same plan with its last spatial axes of size one put first, so that the kernel
// runs along memory: a [512, 1] window is one run of 512 elements.
ConvolutionPlan WithLongestRunLast(ConvolutionPlan plan) {
  for (int turn = 0; turn < 2 && plan.padded[2] == 1 && plan.kernel[2] == 1; ++turn) {
    for (Spatial* sizes :
         {&plan.padded, &plan.output, &plan.kernel, &plan.stride, &plan.dilation}) {
      *sizes = {1, (*sizes)[0], (*sizes)[1]};
    }
  }
  return plan;
}

int64_t LargestMagnitude(const std::vector<int16_t>& values) {
  int16_t low = 0, high = 0;
  const int16_t* data = values.data();
#pragma omp simd reduction(min : low) reduction(max : high)
  for (size_t i = 0; i < values.size(); ++i) {
    low = std::min(low, data[i]);
    high = std::max(high, data[i]);
  }
  return std::max<int64_t>(-int64_t{low}, high);
}

// The window at a position, its elements side by side.
QCONFORM_INLINE void CopyWindow(const ConvolutionPlan& plan, const int16_t* image_x,
                                int64_t position, int16_t* window) {
  const Spatial& p = plan.padded;
  // Neighbouring kernel positions lie side by side in the input too.
  const bool joined = plan.dilation[2] == 1;
  const int64_t runs = joined ? 1 : plan.kernel[2];
  const int64_t length = joined ? plan.kernel[2] * plan.channels : plan.channels;
  const int64_t od = position / (plan.output[1] * plan.output[2]) * plan.stride[0];
  const int64_t oh = position / plan.output[2] % plan.output[1] * plan.stride[1];
  const int64_t ow = position % plan.output[2] * plan.stride[2];
  for (int64_t kd = 0; kd < plan.kernel[0]; ++kd) {
    for (int64_t kh = 0; kh < plan.kernel[1]; ++kh) {
      const int64_t d = od + kd * plan.dilation[0];
      const int64_t h = oh + kh * plan.dilation[1];
      for (int64_t run = 0; run < runs; ++run) {
        const int64_t place = (d * p[1] + h) * p[2] + ow + run * plan.dilation[2];
        std::copy_n(image_x + place * plan.channels, length, window);
        window += length;
      }
    }
  }
}

// sums[output * positions + position]
template <typename Sum>
QCONFORM_INLINE void AddWindows(const ConvolutionPlan& plan, const int16_t* x,
                                const int16_t* w, int64_t image, Sum* sums) {
  // So many windows stay in the first-level cache while the weights pass by.
  constexpr int64_t kElements = 8192;
  const Spatial& p = plan.padded;
  const int64_t window = plan.window_size();
  const int64_t positions = plan.positions();
  const int64_t tile = std::clamp<int64_t>(kElements / std::max<int64_t>(window, 1), 1,
                                           std::max<int64_t>(positions, 1));
  const int16_t* image_x = x + image * p[0] * p[1] * p[2] * plan.channels;
  const int16_t* group_w = w + image % plan.groups * plan.outputs * window;
  std::vector<int16_t> windows(static_cast<size_t>(tile * window));
  for (int64_t begin = 0; begin < positions; begin += tile) {
    const int64_t end = std::min(begin + tile, positions);
    for (int64_t at = begin; at < end; ++at)
      CopyWindow(plan, image_x, at, windows.data() + (at - begin) * window);
    for (int64_t first = 0; first < plan.outputs; first += kBlock) {
      const int64_t count = std::min(kBlock, plan.outputs - first);
      for (int64_t at = begin; at < end; ++at) {
        Sum block[kBlock];
        Dot(windows.data() + (at - begin) * window, group_w + first * window, count,
            window, block);
        for (int64_t j = 0; j < count; ++j) sums[(first + j) * positions + at] = block[j];
      }
    }
  }
}

QCONFORM_TWO_PATHS(AddWindowsInt32, AddWindows<int32_t>,
                   (const ConvolutionPlan& plan, const int16_t* x, const int16_t* w,
                    int64_t image, int32_t* sums),
                   (plan, x, w, image, sums))

}  // namespace

std::vector<int32_t> Accumulate(const ConvolutionPlan& given,
                                const std::vector<int16_t>& x,
                                const std::vector<int16_t>& w, int64_t image,
                                bool may_overflow, bool* overflow) {
  std::vector<int32_t> sums(static_cast<size_t>(given.outputs * given.positions()));
  const ConvolutionPlan plan = WithLongestRunLast(given);
  if (!may_overflow) {
    AddWindowsInt32(plan, x.data(), w.data(), image, sums.data());
    return sums;
  }
  std::vector<int64_t> wide(sums.size());
  AddWindows(plan, x.data(), w.data(), image, wide.data());
  for (size_t i = 0; i < wide.size(); ++i) {
    sums[i] = static_cast<int32_t>(wide[i]);
    if (wide[i] != sums[i]) *overflow = true;
  }
  return sums;
}

std::vector<float> Accumulate(const ConvolutionPlan& plan, const std::vector<float>& x,
                              const std::vector<float>& w, int64_t image) {
  constexpr int64_t kDepthBlock = 256;
  const Spatial& p = plan.padded;
  const int64_t kernel = plan.kernel[0] * plan.kernel[1] * plan.kernel[2];
  const float* image_x = x.data() + image * p[0] * p[1] * p[2] * plan.channels;
  // By depth index: the place in x relative to the window, and in the output's weights.
  std::vector<int64_t> from_x;
  std::vector<int64_t> from_w;
  for (int64_t c = 0; c < plan.channels; ++c) {
    for (int64_t k = 0; k < kernel; ++k) {
      const int64_t d = k / (plan.kernel[1] * plan.kernel[2]) * plan.dilation[0];
      const int64_t h = k / plan.kernel[2] % plan.kernel[1] * plan.dilation[1];
      const int64_t v = k % plan.kernel[2] * plan.dilation[2];
      from_x.push_back(((d * p[1] + h) * p[2] + v) * plan.channels + c);
      from_w.push_back(k * plan.channels + c);
    }
  }
  const auto depth = static_cast<int64_t>(from_x.size());
  std::vector<float> sums;
  sums.reserve(static_cast<size_t>(plan.outputs * plan.positions()));
  for (int64_t j = 0; j < plan.outputs; ++j) {
    const float* output_w =
        w.data() + (image % plan.groups * plan.outputs + j) * plan.window_size();
    for (int64_t at = 0; at < plan.positions(); ++at) {
      const int64_t od = at / (plan.output[1] * plan.output[2]) * plan.stride[0];
      const int64_t oh = at / plan.output[2] % plan.output[1] * plan.stride[1];
      const int64_t ow = at % plan.output[2] * plan.stride[2];
      const float* window = image_x + ((od * p[1] + oh) * p[2] + ow) * plan.channels;
      float sum = 0.0f;
      for (int64_t begin = 0; begin < depth; begin += kDepthBlock) {
        float block = 0.0f;
        for (int64_t k = begin; k < std::min(begin + kDepthBlock, depth); ++k) {
          block += output_w[from_w[static_cast<size_t>(k)]] *
                   window[from_x[static_cast<size_t>(k)]];
        }
        sum = begin == 0 ? block : sum + block;
      }
      sums.push_back(sum);
    }
  }
  return sums;
}

bool MayOverflow(const ConvolutionPlan& plan, const std::vector<int16_t>& x,
                 const std::vector<int16_t>& w) {
  const int64_t window = plan.window_size();
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (kLargestCentered * kLargestCentered * window <= kMost) return false;
  const int64_t largest = LargestMagnitude(x);
  if (largest * LargestMagnitude(w) * window <= kMost) return false;
  int64_t heaviest = 0;
  for (int64_t o = 0; o < plan.groups * plan.outputs; ++o) {
    int64_t weight = 0;
    for (int64_t i = 0; i < window; ++i) {
      weight += std::abs(w[static_cast<size_t>(o * window + i)]);
    }
    heaviest = std::max(heaviest, weight);
  }
  return largest * heaviest > kMost;
}

}  // namespace qconform
