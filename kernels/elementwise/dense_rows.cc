// With the processor's own instructions: Halide's widening, rounding and packing took
// twice as long. kernels/elementwise/generator.cc has the same in Halide, for any strides
// and any values.
#include "kernels/elementwise/dense_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/requantize/code_lanes.h"
#include "kernels/requantize/real_code.h"

namespace qconform::kernels {
namespace {

#ifdef __x86_64__
#define TARGET [[gnu::target("sse4.1")]]
namespace sse41 {
using Codes = Sse41Codes;
#include "kernels/elementwise/dense_rows.inc"
}  // namespace sse41
#undef TARGET

#define TARGET [[gnu::target("avx2")]]
namespace avx2 {
using Codes = Avx2Codes;
#include "kernels/elementwise/dense_rows.inc"
}  // namespace avx2
#undef TARGET

#define TARGET [[gnu::target("avx512f,avx512bw,avx512vl")]]
namespace avx512 {
using Codes = Avx512Codes;
#include "kernels/elementwise/dense_rows.inc"
}  // namespace avx512
#undef TARGET
#else
#define TARGET
namespace neon {
using Codes = NeonCodes;
#include "kernels/elementwise/dense_rows.inc"
}  // namespace neon
#undef TARGET
#endif

// The largest real value of a code, whatever its sign.
double Largest(const RealInputParameters& p) {
  const double codes = std::max(std::abs(0.0 - p.zero_point), 255.0 - p.zero_point);
  return codes * std::fabs(static_cast<double>(p.scale));
}

}  // namespace

std::optional<DenseRowParameters> DenseRowParametersOf(
    const RealInputParameters& a, const RealInputParameters& b, bool multiplies,
    float lowest, float highest, const RealOutputParameters& output) {
  // 2^23 and these zero points are whole floats.
  constexpr int32_t kLargestZeroPoint = 1 << 14;
  for (const int32_t zero_point : {a.zero_point, b.zero_point, output.zero_point})
    if (std::abs(int64_t{zero_point}) > kLargestZeroPoint) return std::nullopt;
  const double value =
      multiplies ? Largest(a) * Largest(b) : std::max(Largest(a), Largest(b)) * 2;
  constexpr double kLargestFloat = 1e38, kLargestCode = 1e9;
  // Not so for NaN.
  if (!(Largest(a) < kLargestFloat && Largest(b) < kLargestFloat &&
        value < kLargestFloat && output.reciprocal > 0 &&
        value * output.reciprocal < kLargestCode))
    return std::nullopt;

  // Rounding is monotone: bounds of the values are bounds of the codes.
  const auto bound = [&](float real, uint8_t fallback) {
    return std::isnan(real)
               ? fallback
               : static_cast<uint8_t>(ByteOfReal(real, output) ^ output.flip);
  };
  const float shift = static_cast<float>(output.zero_point);
  const auto least = static_cast<uint8_t>(output.lower + shift);
  const auto most = static_cast<uint8_t>(output.upper + shift);
  DenseRowParameters p{a, b, output.reciprocal, 0, least, most, output.flip};
  p.zero_point = static_cast<int16_t>(output.zero_point);
  p.lowest = bound(lowest, least);
  p.highest = bound(highest, most);
  return p;
}

DenseRow DenseRowOf([[maybe_unused]] Path path, bool multiplies, bool repeats,
                    bool plain) {
#ifdef __x86_64__
  const auto of =
      path == Path::kSse41  ? (multiplies ? sse41::RowOf<true> : sse41::RowOf<false>)
      : path == Path::kAvx2 ? (multiplies ? avx2::RowOf<true> : avx2::RowOf<false>)
                            : (multiplies ? avx512::RowOf<true> : avx512::RowOf<false>);
#else
  const auto of = multiplies ? neon::RowOf<true> : neon::RowOf<false>;
#endif
  return of(repeats, plain);
}

}  // namespace qconform::kernels
