// The spelling of requantization schemes: multiplier/steps/ties/bias/zero-point, or
// "copy". The manual in kernels/abi/qconform_backend.h has the rules that the reference
// follows; the others are what runtimes do, so that a backend may declare its own rule
// and probe can recognize it. Their arithmetic is in requantize.h and abi_tensor.h.
#ifndef QCONFORM_REFERENCE_NUMERICS_SCHEME_H_
#define QCONFORM_REFERENCE_NUMERICS_SCHEME_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qconform {

struct Scheme {
  enum class Multiplier {
    kF32,         // the quotient of scales in float32
    kF64,         // in double, as is all that follows
    kQ31,         // as a 31-bit mantissa and a shift
    kQ15,         // as a 15-bit mantissa and a shift
    kReal,        // no accumulator: float32 values times the reciprocal of the scale
    kRealDivide,  // the same values divided by the scale
  };
  // f32: times (sx*sw)/so, or times sx*sw and then times 1/so. q31: one rounding of the
  // whole product, or one of the high half and one of the shift.
  enum class Steps { kOne, kTwo };
  enum class Ties {
    kEven,  // halves to the even neighbour
    kAway,  // halves away from zero
    kUp,    // halves up; q31/two: halves up, then halves of the shift away from zero
    kDown,  // halves down
    kTowardZero,  // halves toward zero
    kTruncate,    // everything toward zero
    kFloor,       // everything down
    kUpTwice,     // q31/two only: halves up both times
  };
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

// Whether real values are computed and then quantized, without an accumulator.
bool IsRealScheme(const Scheme& scheme);

// Every scheme that has a definition, copy left out; what most runtimes do comes first.
const std::vector<Scheme>& KnownSchemes();

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_SCHEME_H_
