// The names of the requantization schemes that lowering gives to operators; the manual
// in kernels/abi/qconform_backend.h defines them.
#ifndef QCONFORM_REFERENCE_LOWER_SCHEME_H_
#define QCONFORM_REFERENCE_LOWER_SCHEME_H_

namespace qconform {

inline constexpr char kFloatBiasScheme[] = "f32/one/even/bias_f32/zp_after";
inline constexpr char kRoundedBiasScheme[] = "f32/one/even/bias_s32/zp_after";
inline constexpr char kRealScheme[] = "real/one/even/bias_f32/zp_after";
inline constexpr char kCopyScheme[] = "copy";

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LOWER_SCHEME_H_
