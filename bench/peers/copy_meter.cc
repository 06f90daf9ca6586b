#include "bench/peers/copy_meter.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>

namespace qconform::bench {
namespace {

// Below this a second thread costs more than it copies.
constexpr int64_t kBytesOfThread = 128 * 1024;

}  // namespace

CopyMeter::CopyMeter(int64_t bytes, int threads)
    : threads_(static_cast<int>(
          std::clamp<int64_t>(bytes / 2 / kBytesOfThread, 1, std::max(threads, 1)))),
      from_(static_cast<size_t>(std::max<int64_t>(bytes / 2, 1)), std::byte{1}),
      to_(from_.size(), std::byte{2}) {}

void CopyMeter::Run() {
  if (threads_ == 1) {
    std::memcpy(to_.data(), from_.data(), from_.size());
  } else {
    const auto pieces = static_cast<size_t>(threads_);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (size_t i = 0; i < pieces; ++i) {
      const size_t begin = from_.size() * i / pieces;
      const size_t end = from_.size() * (i + 1) / pieces;
      std::memcpy(to_.data() + begin, from_.data() + begin, end - begin);
    }
  }
  benchmark::ClobberMemory();
}

}  // namespace qconform::bench
