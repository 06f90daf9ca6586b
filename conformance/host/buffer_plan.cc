#include "conformance/host/buffer_plan.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace qconform {
namespace {

bool Touch(const BufferLife& a, const BufferLife& b) {
  return a.first <= b.last && b.first <= a.last;
}

}  // namespace

BufferPlan PlanBuffers(const std::vector<BufferLife>& lives, size_t alignment) {
  const auto aligned = [alignment](size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  };
  BufferPlan plan;
  plan.offsets.resize(lives.size());
  std::vector<size_t> order(lives.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&lives](size_t a, size_t b) {
    return lives[a].bytes > lives[b].bytes;
  });
  std::vector<size_t> placed;  // by offset
  for (const size_t buffer : order) {
    const size_t size = aligned(lives[buffer].bytes);
    size_t end = 0;  // of what is alive and lies below
    size_t best = 0;
    size_t best_gap = SIZE_MAX;
    for (const size_t other : placed) {
      if (!Touch(lives[buffer], lives[other])) continue;
      const size_t begin = plan.offsets[other];
      if (begin >= end && begin - end >= size && begin - end < best_gap) {
        best = end;
        best_gap = begin - end;
      }
      end = std::max(end, begin + aligned(lives[other].bytes));
    }
    plan.offsets[buffer] = best_gap == SIZE_MAX ? end : best;
    plan.bytes = std::max(plan.bytes, plan.offsets[buffer] + size);
    const auto behind = std::upper_bound(
        placed.begin(), placed.end(), plan.offsets[buffer],
        [&plan](size_t offset, size_t other) { return offset < plan.offsets[other]; });
    placed.insert(behind, buffer);
  }
  return plan;
}

}  // namespace qconform
