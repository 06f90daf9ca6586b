// The spelling of requantization schemes: multiplier/steps/ties/bias/zero-point, or
// "copy". The manual in kernels/abi/qconform_backend.h says what a backend may name;
// the others exist to recognize a backend that follows a rule of its own.
#ifndef QCONFORM_REFERENCE_NUMERICS_SCHEME_H_
#define QCONFORM_REFERENCE_NUMERICS_SCHEME_H_

#include <optional>
#include <string>
#include <string_view>

namespace qconform {

struct Scheme {
  enum class Multiplier {
    kF32,   // the quotient of scales in float32
    kQ31,   // as a 31-bit mantissa and a shift
    kReal,  // no accumulator: float32 (or double) values, then quantize
  };
  // q31: one rounding of the whole product, or one of the high half and one of the
  // shift.
  enum class Steps { kOne, kTwo };
  // Halves go to the even neighbour, away from zero, or up.
  enum class Ties { kEven, kAway, kUp };
  enum class Bias { kF32, kS32 };
  // The zero point is added after rounding or (wrongly by the manual) before.
  enum class ZeroPoint { kAfter, kBefore };

  bool copy = false;  // codes move or compare; nothing else holds
  Multiplier multiplier = Multiplier::kF32;
  Steps steps = Steps::kOne;
  Ties ties = Ties::kEven;
  Bias bias = Bias::kF32;
  ZeroPoint zero_point = ZeroPoint::kAfter;

  bool operator==(const Scheme&) const = default;
};

inline constexpr char kFloatBiasSchemeName[] = "f32/one/even/bias_f32/zp_after";
inline constexpr char kRoundedBiasSchemeName[] = "f32/one/even/bias_s32/zp_after";
inline constexpr char kRealSchemeName[] = "real/one/even/bias_f32/zp_after";
inline constexpr char kCopySchemeName[] = "copy";

// nullopt for a spelling that is none.
std::optional<Scheme> ParseScheme(std::string_view text);

std::string SchemeName(const Scheme& scheme);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_SCHEME_H_
