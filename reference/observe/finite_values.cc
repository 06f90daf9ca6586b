#include "reference/observe/finite_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace qconform {
namespace {

bool IsFinite(const ValueRange& range) {
  // NaN is handed on, and an infinity is an extreme.
  return std::isfinite(range.min) && std::isfinite(range.max);
}

}  // namespace

Tensor FiniteValues(const Tensor& x, int64_t& left_out) {
  if (x.numel() == 0 || IsFinite(MinMax(x))) return x;
  const float* values = x.data<float>();
  std::vector<float> kept;
  std::copy_if(values, values + x.numel(), std::back_inserter(kept),
               [](float value) { return std::isfinite(value); });
  const auto n = static_cast<int64_t>(kept.size());
  left_out += x.numel() - n;
  return Tensor::FromVector(DType::kFloat32, {n}, kept);
}

ChannelRanges FiniteChannelMinMax(const Tensor& x, const ChannelLayout& layout,
                                  int64_t& left_out) {
  ChannelRanges ranges = ChannelMinMax(x, layout);
  std::vector<bool> redo(ranges.min.size());
  bool any = false;
  for (size_t c = 0; c < redo.size(); ++c) {
    redo[c] = !IsFinite({ranges.min[c], ranges.max[c]});
    any = any || redo[c];
    if (!redo[c]) continue;
    ranges.min[c] = std::numeric_limits<float>::infinity();
    ranges.max[c] = -std::numeric_limits<float>::infinity();
  }
  if (!any) return ranges;
  const float* values = x.data<float>();
  layout.ForEachRun([&](int64_t channel, int64_t begin, int64_t end) {
    const auto c = static_cast<size_t>(channel);
    if (!redo[c]) return;
    for (int64_t i = begin; i < end; ++i) {
      if (!std::isfinite(values[i])) {
        ++left_out;
        continue;
      }
      ranges.min[c] = std::min(ranges.min[c], values[i]);
      ranges.max[c] = std::max(ranges.max[c], values[i]);
    }
  });
  return ranges;
}

}  // namespace qconform
