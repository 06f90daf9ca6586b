#include "reference/numerics/qscheme.h"

#include <array>
#include <utility>

namespace qconform {
namespace {

constexpr std::array<std::pair<QScheme, std::string_view>, 5> kNames = {{
    {QScheme::kPerTensorAffine, "per_tensor_affine"},
    {QScheme::kPerTensorSymmetric, "per_tensor_symmetric"},
    {QScheme::kPerChannelAffine, "per_channel_affine"},
    {QScheme::kPerChannelSymmetric, "per_channel_symmetric"},
    {QScheme::kPerChannelAffineFloatQparams, "per_channel_affine_float_qparams"},
}};

}  // namespace

std::string_view QSchemeName(QScheme qscheme) {
  return kNames[static_cast<size_t>(qscheme)].second;
}

std::optional<QScheme> ParseQScheme(std::string_view name) {
  constexpr std::string_view kPrefix = "torch.";
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  for (const auto& [qscheme, text] : kNames) {
    if (text == name) return qscheme;
  }
  return std::nullopt;
}

bool IsPerChannel(QScheme qscheme) {
  return qscheme != QScheme::kPerTensorAffine && qscheme != QScheme::kPerTensorSymmetric;
}

bool IsSymmetric(QScheme qscheme) {
  return qscheme == QScheme::kPerTensorSymmetric ||
         qscheme == QScheme::kPerChannelSymmetric;
}

}  // namespace qconform
