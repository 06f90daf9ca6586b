#include "bench/peers/copy_meter.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>

namespace qconform::bench {
namespace {

// Below this a second thread costs more than it copies.
constexpr int64_t kBytesOfThread = 128 * 1024;

// Two vectors that began alike in their pages were copied ten times as slowly on an AMD
// EPYC with fsrm: the sides lie half a page apart, and begin at a cache line.
constexpr size_t kPage = 4096;

}  // namespace

CopyMeter::CopyMeter(int64_t bytes, int threads)
    : threads_(static_cast<int>(
          std::clamp<int64_t>(bytes / 2 / kBytesOfThread, 1, std::max(threads, 1)))),
      size_(static_cast<size_t>(std::max<int64_t>(bytes / 2, 1))),
      memory_(2 * size_ + 4 * kPage, std::byte{1}) {
  const auto to_page = [](std::byte* at) {
    return at + (kPage - reinterpret_cast<uintptr_t>(at) % kPage);
  };
  from_ = to_page(memory_.data());
  to_ = to_page(from_ + size_) + kPage / 2;
}

void CopyMeter::Run() {
  if (threads_ == 1) {
    std::memcpy(to_, from_, size_);
  } else {
    const auto pieces = static_cast<size_t>(threads_);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (size_t i = 0; i < pieces; ++i) {
      const size_t begin = size_ * i / pieces;
      const size_t end = size_ * (i + 1) / pieces;
      std::memcpy(to_ + begin, from_ + begin, end - begin);
    }
  }
  benchmark::ClobberMemory();
}

}  // namespace qconform::bench
