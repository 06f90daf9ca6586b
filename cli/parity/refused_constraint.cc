#include "cli/parity/refused_constraint.h"

namespace qconform::parity {

std::string RefusedConstraint(const std::string& warning) {
  const bool is_weight = warning.starts_with("QConfig weight ");
  const std::string side = is_weight ? "weight " : "activation ";
  if (warning.find("quantization range must fall within") != std::string::npos ||
      warning.find("'quant_min' and 'quant_max'") != std::string::npos) {
    return side + "range";
  }
  if (warning.find(" eps (") != std::string::npos ||
      warning.find("must specify 'eps'") != std::string::npos) {
    return side + "scale_min_lower_bound";
  }
  if (warning.find("fixed scale") != std::string::npos ||
      warning.find("FixedQParams") != std::string::npos) {
    return "exact match";
  }
  return warning;
}

std::string RefusedConstraint(const ConstraintVerdict& refusal) {
  if (refusal.constraint.ends_with("_exact_match")) return "exact match";
  const std::string side =
      refusal.reason.starts_with("weight ") ? "weight " : "activation ";
  return side +
         (refusal.constraint.starts_with("quant_m") ? "range" : refusal.constraint);
}

}  // namespace qconform::parity
