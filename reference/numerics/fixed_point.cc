#include "reference/numerics/fixed_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace qconform {
namespace {

constexpr int64_t kMin = std::numeric_limits<int32_t>::min();
constexpr int64_t kMax = std::numeric_limits<int32_t>::max();

int32_t Saturate(int64_t value) {
  return static_cast<int32_t>(std::clamp(value, kMin, kMax));
}

int32_t HighHalfOfDoubledProduct(int32_t a, int32_t b) {
  if (a == kMin && b == kMin) return static_cast<int32_t>(kMax);
  const int64_t product = int64_t{a} * b;
  const int64_t nudge = product >= 0 ? int64_t{1} << 30 : 1 - (int64_t{1} << 30);
  return static_cast<int32_t>((product + nudge) / (int64_t{1} << 31));
}

int32_t ShiftRightRounding(int32_t value, int bits) {
  const int64_t mask = (int64_t{1} << bits) - 1;
  const int64_t remainder = value & mask;
  const int64_t threshold = (mask >> 1) + (value < 0 ? 1 : 0);
  return static_cast<int32_t>((int64_t{value} >> bits) + (remainder > threshold ? 1 : 0));
}

// How the remainder of a division by 2^bits, rounded down, moves the quotient.
bool RoundsUp(Scheme::Ties ties, int64_t quotient, int64_t remainder, int64_t half) {
  const bool negative = quotient < 0;
  switch (ties) {
    case Scheme::Ties::kEven:
      return remainder > half || (remainder == half && (quotient & 1) != 0);
    case Scheme::Ties::kAway:
      return negative ? remainder > half : remainder >= half;
    case Scheme::Ties::kDown:
      return remainder > half;
    case Scheme::Ties::kTowardZero:
      return negative ? remainder >= half : remainder > half;
    case Scheme::Ties::kTruncate:
      return negative && remainder > 0;
    case Scheme::Ties::kFloor:
      return false;
    default:
      return remainder >= half;
  }
}

// Both factors of the doubled high half.
int32_t HighHalf(int32_t value, FixedPointMultiplier multiplier) {
  const int left = std::max(multiplier.shift, 0);
  const int32_t shifted = Saturate(int64_t{value} * (int64_t{1} << left));
  return HighHalfOfDoubledProduct(shifted, multiplier.mantissa);
}

}  // namespace

FixedPointMultiplier ToFixedPoint(double value) {
  if (value == 0.0) return {};
  int shift = 0;
  const double fraction = std::frexp(value, &shift);
  auto mantissa = static_cast<int64_t>(std::round(fraction * 0x1p31));
  if (mantissa == int64_t{1} << 31) {
    mantissa /= 2;
    ++shift;
  }
  if (shift < -31) return {};
  return {static_cast<int32_t>(mantissa), std::min(shift, 30)};
}

FixedPointMultiplier To15Bits(FixedPointMultiplier multiplier) {
  const int64_t mantissa = (int64_t{multiplier.mantissa} + (1 << 15)) >> 16;
  return {static_cast<int32_t>(std::min<int64_t>(mantissa, 0x7FFF) << 16),
          multiplier.shift};
}

int32_t MultiplyOnce(int32_t value, FixedPointMultiplier multiplier, Scheme::Ties ties) {
  const int total = 31 - multiplier.shift;
  const int64_t product = int64_t{value} * multiplier.mantissa;
  const int64_t quotient = product >> total;
  const int64_t remainder = product - quotient * (int64_t{1} << total);
  const int64_t half = int64_t{1} << (total - 1);
  return Saturate(quotient + (RoundsUp(ties, quotient, remainder, half) ? 1 : 0));
}

int32_t MultiplyDoubleRounding(int32_t value, FixedPointMultiplier multiplier) {
  return ShiftRightRounding(HighHalf(value, multiplier), std::max(-multiplier.shift, 0));
}

int32_t MultiplyUpTwice(int32_t value, FixedPointMultiplier multiplier) {
  const int right = std::max(-multiplier.shift, 0);
  const int64_t high = HighHalf(value, multiplier);
  if (right == 0) return static_cast<int32_t>(high);
  return static_cast<int32_t>((high + (int64_t{1} << (right - 1))) >> right);
}

}  // namespace qconform
