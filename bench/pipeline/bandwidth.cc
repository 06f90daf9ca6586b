#include "bench/pipeline/bandwidth.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>

namespace qconform::bench {
namespace {

constexpr int64_t kWords = (int64_t{64} << 20) / 8;
constexpr int64_t kPiece = kWords / 256;

template <typename Body>
double Seconds(int threads, const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  if (threads <= 1) {
    for (int64_t begin = 0; begin < kWords; begin += kPiece) body(begin);
  } else {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t begin = 0; begin < kWords; begin += kPiece) body(begin);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int64_t Sum(const int64_t* words) {
  int64_t sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < kPiece; ++i) sum += words[i];
  return sum;
}

}  // namespace

BandwidthMeter::BandwidthMeter(int threads)
    : threads_(threads),
      from_(Tensor::Uninitialized(DType::kInt64, {kWords})),
      to_(Tensor::Uninitialized(DType::kInt64, {kWords})) {
  std::fill_n(from_.data<int64_t>(), kWords, 1);
  for (int i = 0; i < 10; ++i) Sample();
}

void BandwidthMeter::Sample() {
  constexpr double kBytes = kWords * 8.0;
  const double reading = Seconds(threads_, [this](int64_t begin) {
    benchmark::DoNotOptimize(Sum(from_.data<int64_t>() + begin));
  });
  const double copying = Seconds(threads_, [this](int64_t begin) {
    std::memcpy(to_.data<int64_t>() + begin, from_.data<int64_t>() + begin, kPiece * 8);
    benchmark::ClobberMemory();
  });
  read_ = std::max(read_, kBytes / reading);
  copy_ = std::max(copy_, 2 * kBytes / copying);
}

}  // namespace qconform::bench
