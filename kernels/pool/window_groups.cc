#include "kernels/pool/window_groups.h"

#include <algorithm>

namespace qconform::kernels {
namespace {

WindowGroup AdaptiveWindow(int64_t in, int64_t out, int64_t at) {
  const int64_t begin = at * in / out;
  const int64_t end = ((at + 1) * in + out - 1) / out;
  return {at, 1, begin, 0, end - begin, 1, end - begin};
}

WindowGroup ClippedWindow(const WindowGeometry& g, size_t axis, int64_t at,
                          bool include_pad) {
  const int64_t dilation = g.dilation[axis];
  const int64_t begin = at * g.stride[axis] - g.before[axis];
  // Taps [low, high) lie inside.
  const int64_t low = begin < 0 ? (-begin + dilation - 1) / dilation : 0;
  const int64_t room = g.input[axis] - begin;
  const int64_t high =
      room <= 0 ? 0 : std::min(g.kernel[axis], (room + dilation - 1) / dilation);
  WindowGroup window{
      at, 1, begin + low * dilation, 0, std::max<int64_t>(high - low, 0), dilation, 0};
  if (window.taps == 0) window.begin = 0;
  const int64_t end = std::min(begin + g.kernel[axis], g.input[axis] + g.after[axis]);
  window.length = include_pad
                      ? end - begin
                      : std::min(end, g.input[axis]) - std::max<int64_t>(begin, 0);
  return window;
}

bool Joins(const WindowGroup& group, const WindowGroup& next) {
  if (next.taps != group.taps || next.length != group.length) return false;
  return group.count == 1 || next.begin == group.begin + group.count * group.step;
}

}  // namespace

std::vector<WindowGroup> WindowGroups(const WindowGeometry& g, size_t axis, bool adaptive,
                                      bool include_pad) {
  std::vector<WindowGroup> groups;
  for (int64_t at = 0; at < g.output[axis]; ++at) {
    const WindowGroup window = adaptive
                                   ? AdaptiveWindow(g.input[axis], g.output[axis], at)
                                   : ClippedWindow(g, axis, at, include_pad);
    if (!groups.empty() && Joins(groups.back(), window)) {
      if (groups.back().count == 1)
        groups.back().step = window.begin - groups.back().begin;
      ++groups.back().count;
    } else {
      groups.push_back(window);
    }
  }
  return groups;
}

}  // namespace qconform::kernels
