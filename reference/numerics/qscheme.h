// torch.qscheme: how the quantization parameters of a tensor are chosen.
#ifndef QCONFORM_REFERENCE_NUMERICS_QSCHEME_H_
#define QCONFORM_REFERENCE_NUMERICS_QSCHEME_H_

#include <optional>
#include <string_view>

namespace qconform {

enum class QScheme {
  kPerTensorAffine,
  kPerTensorSymmetric,
  kPerChannelAffine,
  kPerChannelSymmetric,
  kPerChannelAffineFloatQparams,
};

// "per_tensor_affine", ...
std::string_view QSchemeName(QScheme qscheme);

// Accepts "per_tensor_affine" and "torch.per_tensor_affine".
std::optional<QScheme> ParseQScheme(std::string_view name);

bool IsPerChannel(QScheme qscheme);
bool IsSymmetric(QScheme qscheme);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_QSCHEME_H_
