// Plain C++ in the compiler's own vectors, compiled once a path: rows of images are
// short, and Halide's vectors end in loops of single codes there, or want a padded copy.
#include "kernels/pool/max_rows.h"

#include <algorithm>
#include <cstring>

#include "kernels/layout/copy_row.h"

namespace qconform::kernels {
namespace {

// Vectors may be read and written so far behind a row.
constexpr int64_t kSlack = 128;

// Of column maxima at once.
constexpr int64_t kRowBytes = 1 << 13;

template <typename Vector>
[[gnu::always_inline]] inline void Load(const uint8_t* from, Vector& vector) {
  std::memcpy(&vector, from, sizeof vector);
}
template <typename Vector>
[[gnu::always_inline]] inline void RaiseBy(const uint8_t* from, Vector& most) {
  Vector other;
  Load(from, other);
  most = most > other ? most : other;
}

// The maximum of the rows at each tap; the last vector moves back over what is done.
// kTaps: their number, or 0 for any.
template <typename Vector, int kTaps>
[[gnu::always_inline]] inline void MaximumOfRows(const MaxRows& c, const uint8_t* from,
                                                 uint8_t* to) {
  constexpr int64_t kBytes = sizeof(Vector);
  const int64_t taps = kTaps > 0 ? kTaps : c.tap_count;
  for (int64_t w = 0; w < c.width; w += kBytes) {
    const int64_t at = std::min(w, c.width - kBytes);
    Vector most;
    Load(from + c.taps[0] + at, most);
    for (int64_t t = 1; t < taps; ++t) RaiseBy(from + c.taps[t] + at, most);
    std::memcpy(to + at, &most, kBytes);
  }
}

template <typename Vector>
[[gnu::always_inline]] inline void MaximumOfRows(const MaxRows& c, const uint8_t* from,
                                                 uint8_t* to) {
  if (c.tap_count == 3) return MaximumOfRows<Vector, 3>(c, from, to);
  if (c.tap_count == 2) return MaximumOfRows<Vector, 2>(c, from, to);
  MaximumOfRows<Vector, 0>(c, from, to);
}

// Codes kFirst, kFirst + 2, kFirst + 4, ... of two vectors side by side.
template <int kFirst, typename Vector>
[[gnu::always_inline]] inline void EverySecond(const Vector& low, const Vector& high,
                                               Vector& codes) {
  if constexpr (sizeof(Vector) == 16) {
    codes = __builtin_shufflevector(
        low, high, kFirst + 0, kFirst + 2, kFirst + 4, kFirst + 6, kFirst + 8,
        kFirst + 10, kFirst + 12, kFirst + 14, kFirst + 16, kFirst + 18, kFirst + 20,
        kFirst + 22, kFirst + 24, kFirst + 26, kFirst + 28, kFirst + 30);
  } else {
    codes = __builtin_shufflevector(
        low, high, kFirst + 0, kFirst + 2, kFirst + 4, kFirst + 6, kFirst + 8,
        kFirst + 10, kFirst + 12, kFirst + 14, kFirst + 16, kFirst + 18, kFirst + 20,
        kFirst + 22, kFirst + 24, kFirst + 26, kFirst + 28, kFirst + 30, kFirst + 32,
        kFirst + 34, kFirst + 36, kFirst + 38, kFirst + 40, kFirst + 42, kFirst + 44,
        kFirst + 46, kFirst + 48, kFirst + 50, kFirst + 52, kFirst + 54, kFirst + 56,
        kFirst + 58, kFirst + 60, kFirst + 62);
  }
}

// A vector of windows that begin stride (1 or 2) codes apart, of kKernel codes, or 0 for
// any number.
template <typename Vector, int kStride, int kKernel>
[[gnu::always_inline]] inline void Windows(const MaxRows& c, const uint8_t* row,
                                           Vector& most) {
  Vector of[kStride];
  for (int v = 0; v < kStride; ++v)
    Load(row + v * static_cast<int>(sizeof(Vector)), of[v]);
  for (int64_t k = 1; k < (kKernel > 0 ? kKernel : c.kernel); ++k)
    for (int v = 0; v < kStride; ++v)
      RaiseBy(row + k * c.dilation + v * static_cast<int>(sizeof(Vector)), of[v]);
  if constexpr (kStride == 1) {
    most = of[0];
  } else {
    EverySecond<0>(of[0], of[1], most);
  }
}

template <typename Vector, int kStride, int kKernel>
[[gnu::always_inline]] inline void MaximumAlongRow(const MaxRows& c, const uint8_t* row,
                                                   uint8_t* to) {
  constexpr int64_t kBytes = sizeof(Vector);
  Vector most;
  if (c.count < kBytes) {
    uint8_t some[kBytes];
    Windows<Vector, kStride, kKernel>(c, row, most);
    std::memcpy(some, &most, kBytes);
    CopyRow(some, to, c.count);
    return;
  }
  for (int64_t x = 0; x < c.count; x += kBytes) {
    const int64_t at = std::min(x, c.count - kBytes);
    Windows<Vector, kStride, kKernel>(c, row + at * kStride, most);
    std::memcpy(to + at, &most, kBytes);
  }
}

// Larger strides: windows at every code, of which some are taken.
template <typename Vector>
[[gnu::always_inline]] inline void MaximumOfSome(const MaxRows& c, const uint8_t* row,
                                                 uint8_t* scratch, uint8_t* to) {
  const int64_t last = (c.count - 1) * c.stride;
  for (int64_t w = 0; w <= last; w += static_cast<int64_t>(sizeof(Vector))) {
    Vector most;
    Windows<Vector, 1, 0>(c, row + w, most);
    std::memcpy(scratch + w, &most, sizeof most);
  }
  for (int64_t x = 0; x < c.count; ++x) to[x] = scratch[x * c.stride];
}

template <typename Codes, typename Wide>
[[gnu::always_inline]] inline void MaximumOfColumns(const MaxRows& c, const uint8_t* from,
                                                    uint8_t* to) {
  if (c.width >= static_cast<int64_t>(sizeof(Wide)))
    return MaximumOfRows<Wide>(c, from, to);
  if (c.width >= static_cast<int64_t>(sizeof(typename Codes::Narrow)))
    return MaximumOfRows<typename Codes::Narrow>(c, from, to);
  if (c.width >= static_cast<int64_t>(sizeof(typename Codes::Few)))
    return MaximumOfRows<typename Codes::Few>(c, from, to);
  MaximumOfRows<typename Codes::Single>(c, from, to);
}

template <typename Codes, typename Wide, int kStride>
[[gnu::always_inline]] inline void MaximumAlong(const MaxRows& c, const uint8_t* row,
                                                uint8_t* to) {
  using Narrow = typename Codes::Narrow;
  const bool wide = c.count >= static_cast<int64_t>(sizeof(Wide));
  if (c.kernel == 3)
    return wide ? MaximumAlongRow<Wide, kStride, 3>(c, row, to)
                : MaximumAlongRow<Narrow, kStride, 3>(c, row, to);
  if (c.kernel == 2)
    return wide ? MaximumAlongRow<Wide, kStride, 2>(c, row, to)
                : MaximumAlongRow<Narrow, kStride, 2>(c, row, to);
  wide ? MaximumAlongRow<Wide, kStride, 0>(c, row, to)
       : MaximumAlongRow<Narrow, kStride, 0>(c, row, to);
}

// Windows of two by two that neither overlap nor need padding, straight from the input:
// at least a vector of them in a row.
template <typename Vector>
[[gnu::always_inline]] inline void MaximaOfSquares(const MaxRows& c) {
  constexpr int64_t kBytes = sizeof(Vector);
  for (int64_t plane = 0; plane < c.planes; ++plane)
    for (int64_t y = 0; y < c.rows; ++y) {
      const uint8_t* const from = c.input + plane * c.plane_step + y * c.row_step;
      uint8_t* const to = c.output + plane * c.output_plane_step + y * c.output_row_step;
      for (int64_t x = 0; x < c.count; x += kBytes) {
        const int64_t at = std::min(x, c.count - kBytes);
        Vector low, high, even, odd;
        Load(from + c.taps[0] + 2 * at, low);
        Load(from + c.taps[0] + 2 * at + kBytes, high);
        RaiseBy(from + c.taps[1] + 2 * at, low);
        RaiseBy(from + c.taps[1] + 2 * at + kBytes, high);
        EverySecond<0>(low, high, even);
        EverySecond<1>(low, high, odd);
        even = even > odd ? even : odd;
        std::memcpy(to + at, &even, kBytes);
      }
    }
}

// Some rows of column maxima first, then their windows: a load of what was just stored in
// other pieces waits until it has left the processor.
template <typename Codes, typename Wide>
[[gnu::always_inline]] inline void Rows(const MaxRows& c, int64_t padded_width,
                                        uint8_t* scratch) {
  const MaxRows own = c;  // which the codes cannot alias
  const bool squares = own.kernel == 2 && own.stride == 2 && own.dilation == 1 &&
                       own.tap_count == 2 && own.before == 0 &&
                       2 * own.count <= own.width;
  if (squares && own.count >= static_cast<int64_t>(sizeof(Wide)))
    return MaximaOfSquares<Wide>(own);
  if (squares && own.count >= static_cast<int64_t>(sizeof(typename Codes::Narrow)))
    return MaximaOfSquares<typename Codes::Narrow>(own);
  const int64_t together =
      std::clamp<int64_t>(kRowBytes / padded_width, 1, own.planes * own.rows);
  // What lies behind the rows only reaches maxima that nobody takes.
  const int64_t bytes = together * padded_width + kSlack;
  uint8_t* const maxima = scratch + bytes;
  std::memset(scratch, own.fill, static_cast<size_t>(bytes));
  for (int64_t i = 0; i < own.planes * own.rows; i += together) {
    const int64_t end = std::min(i + together, own.planes * own.rows);
    int64_t plane = i / own.rows, y = i % own.rows;
    const int64_t first_plane = plane, first_y = y;
    const auto next = [&own](int64_t& at_plane, int64_t& at_y) {
      if (++at_y < own.rows) return;
      at_y = 0;
      ++at_plane;
    };
    uint8_t* row = scratch;
    for (int64_t at = i; at < end; ++at, row += padded_width, next(plane, y)) {
      MaximumOfColumns<Codes, Wide>(
          own, own.input + plane * own.plane_step + y * own.row_step, row + own.before);
    }
    row = scratch;
    plane = first_plane;
    y = first_y;
    for (int64_t at = i; at < end; ++at, row += padded_width, next(plane, y)) {
      uint8_t* const to =
          own.output + plane * own.output_plane_step + y * own.output_row_step;
      if (own.stride == 1) {
        MaximumAlong<Codes, Wide, 1>(own, row, to);
      } else if (own.stride == 2) {
        MaximumAlong<Codes, Wide, 2>(own, row, to);
      } else {
        MaximumOfSome<typename Codes::Narrow>(own, row, maxima, to);
      }
    }
  }
}

struct UnsignedCodes {
  using Single = uint8_t;
  using Few = uint8_t __attribute__((vector_size(8)));
  using Narrow = uint8_t __attribute__((vector_size(16)));
  using Wide = uint8_t __attribute__((vector_size(32)));
};
struct SignedCodes {
  using Single = int8_t;
  using Few = int8_t __attribute__((vector_size(8)));
  using Narrow = int8_t __attribute__((vector_size(16)));
  using Wide = int8_t __attribute__((vector_size(32)));
};

template <typename Codes>
#ifdef __x86_64__
[[gnu::target("sse4.1")]]
#endif
void NarrowRows(const MaxRows& c, int64_t padded_width, uint8_t* scratch) {
  Rows<Codes, typename Codes::Narrow>(c, padded_width, scratch);
}

#ifdef __x86_64__
template <typename Codes>
[[gnu::target("avx2")]] void WideRows(const MaxRows& c, int64_t padded_width,
                                      uint8_t* scratch) {
  Rows<Codes, typename Codes::Wide>(c, padded_width, scratch);
}
#endif

}  // namespace

int64_t MaxRowsScratchBytes(int64_t padded_width) {
  return std::max(kRowBytes, padded_width) + padded_width + 2 * kSlack;
}

MaxRowsKernel MaxRowsKernelOf([[maybe_unused]] Path path, bool is_signed) {
#ifdef __x86_64__
  if (path != Path::kSse41)
    return is_signed ? WideRows<SignedCodes> : WideRows<UnsignedCodes>;
#endif
  return is_signed ? NarrowRows<SignedCodes> : NarrowRows<UnsignedCodes>;
}

}  // namespace qconform::kernels
