#include "bench/turn.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace qconform::bench {
namespace {

constexpr double kRepetitionSeconds = 2e-3;

}  // namespace

Turn::Turn(std::function<void()> run) : run_(std::move(run)) {
  run_();
  const double seconds = std::min(Time(1), Time(1));
  count_ = std::clamp<int64_t>(
      static_cast<int64_t>(kRepetitionSeconds / std::max(seconds, 1e-9)), 1, 2000);
}

double Turn::Take() {
  if (count_ > 1) run_();
  return Time(count_);
}

double Turn::Time(int64_t count) const {
  const auto start = std::chrono::steady_clock::now();
  for (int64_t i = 0; i < count; ++i) run_();
  const auto stop = std::chrono::steady_clock::now();
  return std::chrono::duration<double>(stop - start).count() / static_cast<double>(count);
}

}  // namespace qconform::bench
