// Sums in the order in which torch's CPU kernel takes them (aten/src/ATen/native/cpu/
// SumKernel.cpp, which runs with 256-bit vectors on every x86): means of dequantized
// codes often lie on the border between two codes, where the last bit decides.
//
// A sum is taken over vectors of kSumLanes elements; four independent vectors take
// turns (row i goes to vector i mod 4); each adds up in a cascade of four levels that
// pass their sums on after 16 or more rows; levels, the four vectors and the lanes are
// added in order at the end.
#ifndef QCONFORM_REFERENCE_NUMERICS_CASCADE_SUM_H_
#define QCONFORM_REFERENCE_NUMERICS_CASCADE_SUM_H_

#include <algorithm>
#include <array>
#include <cstdint>

namespace qconform {

// Elements in a 256-bit vector.
template <typename T>
inline constexpr int64_t kSumLanes = 32 / static_cast<int64_t>(sizeof(T));

// The cascade over `size` rows of `kWidth` columns each: result[c] = sum over i of
// data[i * row_step + c * column_step].
template <typename T, int kWidth>
std::array<T, kWidth> CascadeColumns(const T* data, int64_t row_step, int64_t column_step,
                                     int64_t size) {
  constexpr int kLevels = 4;
  int64_t bits = 0;
  while ((int64_t{1} << bits) < size) ++bits;
  const int64_t power = std::max<int64_t>(4, bits / kLevels);
  const int64_t step = int64_t{1} << power;
  std::array<std::array<T, kWidth>, kLevels> sums{};
  int64_t row = 0;
  while (row + step <= size) {
    for (int64_t i = 0; i < step; ++i, ++row) {
      for (int c = 0; c < kWidth; ++c) {
        sums[0][c] += data[row * row_step + c * column_step];
      }
    }
    for (int level = 1; level < kLevels; ++level) {
      for (int c = 0; c < kWidth; ++c) {
        sums[level][c] += sums[level - 1][c];
        sums[level - 1][c] = T(0);
      }
      if ((row & ((step - 1) << (level * power))) != 0) break;
    }
  }
  for (; row < size; ++row) {
    for (int c = 0; c < kWidth; ++c) {
      sums[0][c] += data[row * row_step + c * column_step];
    }
  }
  for (int level = 1; level < kLevels; ++level) {
    for (int c = 0; c < kWidth; ++c) sums[0][c] += sums[level][c];
  }
  return sums[0];
}

// kLanes columns at once, each the sum of `size` rows with the rows dealt to four
// cascades.
template <typename T, int kLanes>
std::array<T, kLanes> DealtSum(const T* data, int64_t row_step, int64_t size) {
  const int64_t dealt = size / 4;
  std::array<std::array<T, kLanes>, 4> sums;
  for (int k = 0; k < 4; ++k) {
    sums[k] = CascadeColumns<T, kLanes>(data + k * row_step, 4 * row_step, 1, dealt);
  }
  for (int64_t i = 4 * dealt; i < size; ++i) {
    for (int c = 0; c < kLanes; ++c) sums[0][c] += data[i * row_step + c];
  }
  for (int k = 1; k < 4; ++k) {
    for (int c = 0; c < kLanes; ++c) sums[0][c] += sums[k][c];
  }
  return sums[0];
}

// The sum of `size` adjacent elements.
template <typename T>
T SumRow(const T* data, int64_t size) {
  constexpr int kLanes = static_cast<int>(kSumLanes<T>);
  if (size < kLanes) return T(0) + DealtSum<T, 1>(data, 1, size)[0];
  const int64_t vectors = size / kLanes;
  const std::array<T, kLanes> lanes = DealtSum<T, kLanes>(data, kLanes, vectors);
  T sum = T(0);
  for (int64_t i = vectors * kLanes; i < size; ++i) sum += data[i];
  for (T lane : lanes) sum += lane;
  return sum;
}

// out[c] = sum over i of data[i * columns + c]: a reduction over a leading axis.
template <typename T>
void SumColumns(const T* data, int64_t rows, int64_t columns, T* out) {
  constexpr int kLanes = static_cast<int>(kSumLanes<T>);
  int64_t c = 0;
  if (columns >= kLanes) {
    for (; c + 4 * kLanes <= columns; c += 4 * kLanes) {
      const auto sums = CascadeColumns<T, 4 * kLanes>(data + c, columns, 1, rows);
      std::copy(sums.begin(), sums.end(), out + c);
    }
    for (; c + kLanes <= columns; c += kLanes) {
      const auto sums = DealtSum<T, kLanes>(data + c, columns, rows);
      std::copy(sums.begin(), sums.end(), out + c);
    }
  } else {
    for (; c + 4 <= columns; c += 4) {
      const auto sums = CascadeColumns<T, 4>(data + c, columns, 1, rows);
      std::copy(sums.begin(), sums.end(), out + c);
    }
  }
  for (; c < columns; ++c) out[c] = DealtSum<T, 1>(data + c, columns, rows)[0];
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_CASCADE_SUM_H_
