#include "reference/numerics/resampling.h"

#include <algorithm>
#include <cmath>

namespace qconform {
namespace {

float Scale(const ResizedAxis& axis) {
  return axis.factor > 0.0
             ? static_cast<float>(1.0 / axis.factor)
             : static_cast<float>(axis.size) / static_cast<float>(axis.target);
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

}  // namespace qconform
