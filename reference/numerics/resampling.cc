#include "reference/numerics/resampling.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace qconform {
namespace {

float Scale(const ResizedAxis& axis) {
  return axis.factor > 0.0
             ? static_cast<float>(1.0 / axis.factor)
             : static_cast<float>(axis.size) / static_cast<float>(axis.target);
}

using AllSources = std::vector<std::vector<LinearSource>>;

}  // namespace

std::vector<LinearSource> LinearSources(const ResizedAxis& axis, bool align_corners) {
  float scale = Scale(axis);
  if (align_corners) {
    scale = axis.target > 1
                ? static_cast<float>(axis.size - 1) / static_cast<float>(axis.target - 1)
                : 0.0f;
  }
  std::vector<LinearSource> sources;
  for (int64_t i = 0; i < axis.target; ++i) {
    float position = align_corners ? scale * static_cast<float>(i)
                                   : std::fma(scale, static_cast<float>(i) + 0.5f, -0.5f);
    if (axis.size == axis.target) position = static_cast<float>(i);
    if (position < 0.0f) position = 0.0f;
    const int64_t low = std::min(static_cast<int64_t>(position), axis.size - 1);
    const int64_t high = std::min(low + 1, axis.size - 1);
    const float above = std::min(position - static_cast<float>(low), 1.0f);
    sources.push_back({low, high, 1.0f - above, above});
  }
  return sources;
}

bool IsSmallPlane(const std::vector<ResizedAxis>& axes) {
  constexpr int64_t kSmall = 128;
  return axes.size() == 2 && axes[0].target + axes[1].target <= kSmall;
}

namespace {

void ResizeSmallPlane(const float* x, int64_t width, const AllSources& sources,
                      float* out) {
  for (const LinearSource& h : sources[0]) {
    const float* low = x + h.low * width;
    const float* high = x + h.high * width;
    for (const LinearSource& w : sources[1]) {
      float sum = h.below * w.above * low[w.high];
      sum = std::fma(h.below * w.below, low[w.low], sum);
      sum = std::fma(h.above * w.below, high[w.low], sum);
      *out++ = std::fma(h.above * w.above, high[w.high], sum);
    }
  }
}

void ResizePlane(const float* x, const std::vector<ResizedAxis>& axes,
                 const AllSources& sources, float* out) {
  int64_t outer = 1;
  for (const ResizedAxis& axis : axes) outer *= axis.size;
  std::vector<float> values(x, x + outer);
  int64_t inner = 1;
  for (size_t i = axes.size(); i-- > 0;) {
    outer /= axes[i].size;
    std::vector<float> resized(static_cast<size_t>(outer * axes[i].target * inner));
    float* to = resized.data();
    for (int64_t o = 0; o < outer; ++o) {
      const float* from = values.data() + o * axes[i].size * inner;
      for (const LinearSource& source : sources[i]) {
        for (int64_t k = 0; k < inner; ++k) {
          *to++ = std::fma(source.below, from[source.low * inner + k],
                           source.above * from[source.high * inner + k]);
        }
      }
    }
    inner *= axes[i].target;
    values = std::move(resized);
  }
  std::copy(values.begin(), values.end(), out);
}

}  // namespace

int64_t ResizedSize(int64_t size, double factor) {
  return static_cast<int64_t>(std::floor(static_cast<double>(size) * factor));
}

std::vector<int64_t> NearestSources(const ResizedAxis& axis, bool exact) {
  const float scale = Scale(axis);
  std::vector<int64_t> sources;
  for (int64_t i = 0; i < axis.target; ++i) {
    const float position =
        exact ? (static_cast<float>(i) + 0.5f) * scale : static_cast<float>(i) * scale;
    sources.push_back(
        std::min(static_cast<int64_t>(std::floor(position)), axis.size - 1));
  }
  return sources;
}

void ResizeLinearly(const float* x, int64_t planes, const std::vector<ResizedAxis>& axes,
                    bool align_corners, float* out) {
  AllSources sources;
  int64_t size = 1;
  int64_t target = 1;
  for (const ResizedAxis& axis : axes) {
    sources.push_back(LinearSources(axis, align_corners));
    size *= axis.size;
    target *= axis.target;
  }
  const bool small = IsSmallPlane(axes);
  constexpr int64_t kParallel = 1 << 15;
#pragma omp parallel for if (planes * target >= kParallel)
  for (int64_t plane = 0; plane < planes; ++plane) {
    if (small) {
      ResizeSmallPlane(x + plane * size, axes[1].size, sources, out + plane * target);
    } else {
      ResizePlane(x + plane * size, axes, sources, out + plane * target);
    }
  }
}

}  // namespace qconform
