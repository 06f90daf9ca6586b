#include "reference/observe/float_sequences.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace qconform {
namespace {

constexpr int64_t kLanes = 8;
constexpr int64_t kRows = 4;
constexpr int kLevels = 4;

// One row's partial sum, eight lanes wide.
using Lanes = std::array<float, kLanes>;

void Add(Lanes& sum, const Lanes& values) {
  for (int64_t i = 0; i < kLanes; ++i) sum[i] += values[i];
}

void Add(Lanes& sum, const float* values) {
  for (int64_t i = 0; i < kLanes; ++i) sum[i] += values[i];
}

// Sums `size` groups of kRows vectors: row k holds vectors k, k + kRows, ... Full
// blocks cascade into higher levels, so that no partial sum grows long.
std::array<Lanes, kRows> SumRows(const float* values, int64_t size) {
  const int ceil_log2 = size <= 2 ? 1 : std::bit_width(static_cast<uint64_t>(size - 1));
  const int level_power = std::max(4, ceil_log2 / kLevels);
  const int64_t level_step = int64_t{1} << level_power;
  const int64_t level_mask = level_step - 1;
  std::array<std::array<Lanes, kRows>, kLevels> partial{};
  int64_t i = 0;
  while (i + level_step <= size) {
    for (int64_t j = 0; j < level_step; ++j, ++i) {
      for (int64_t k = 0; k < kRows; ++k) {
        Add(partial[0][k], values + (i * kRows + k) * kLanes);
      }
    }
    for (int level = 1; level < kLevels; ++level) {
      for (int64_t k = 0; k < kRows; ++k) {
        Add(partial[level][k], partial[level - 1][k]);
        partial[level - 1][k].fill(0.0f);
      }
      if ((i & (level_mask << (level * level_power))) != 0) break;
    }
  }
  for (; i < size; ++i) {
    for (int64_t k = 0; k < kRows; ++k) {
      Add(partial[0][k], values + (i * kRows + k) * kLanes);
    }
  }
  for (int level = 1; level < kLevels; ++level) {
    for (int64_t k = 0; k < kRows; ++k) Add(partial[0][k], partial[level][k]);
  }
  return partial[0];
}

}  // namespace

std::vector<float> LinearSequence(float start, float end, int64_t steps) {
  std::vector<float> values(static_cast<size_t>(steps));
  const float step = (end - start) / static_cast<float>(steps - 1);
  const int64_t half = steps / 2;
  for (int64_t i = 0; i < steps; ++i) {
    values[static_cast<size_t>(i)] =
        i < half ? std::fma(step, static_cast<float>(i), start)
                 : std::fma(-step, static_cast<float>(steps - i - 1), end);
  }
  return values;
}

float CascadeSum(std::span<const float> values) {
  const auto n = static_cast<int64_t>(values.size());
  const int64_t vectors = n / kLanes;
  const int64_t groups = vectors / kRows;
  std::array<Lanes, kRows> rows = SumRows(values.data(), groups);
  for (int64_t i = groups * kRows; i < vectors; ++i) {
    Add(rows[0], values.data() + i * kLanes);
  }
  for (int64_t k = 1; k < kRows; ++k) Add(rows[0], rows[static_cast<size_t>(k)]);
  float sum = 0.0f;
  for (int64_t i = vectors * kLanes; i < n; ++i) sum += values[static_cast<size_t>(i)];
  for (const float lane : rows[0]) sum += lane;
  return sum;
}

std::vector<float> CumulativeSum(std::span<const float> values) {
  std::vector<float> sums;
  sums.reserve(values.size());
  double sum = 0.0;
  for (const float value : values) {
    sum += value;
    sums.push_back(static_cast<float>(sum));
  }
  return sums;
}

float FloorDivide(float a, float b) {
  if (b == 0.0f) return a / b;
  const float remainder = std::fmod(a, b);
  float quotient = (a - remainder) / b;
  if (remainder != 0.0f && (b < 0.0f) != (remainder < 0.0f)) quotient -= 1.0f;
  if (quotient == 0.0f) return std::copysign(0.0f, a / b);
  const float floor = std::floor(quotient);
  return quotient - floor > 0.5f ? floor + 1.0f : floor;
}

}  // namespace qconform
