// Checks that several families share.
#ifndef QCONFORM_REFERENCE_NUMERICS_SAME_SHAPE_H_
#define QCONFORM_REFERENCE_NUMERICS_SAME_SHAPE_H_

#include <string>

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scalar_call.h"

namespace qconform {

// Codes with scales, or f32, on both sides.
inline std::string CheckValues(const qc_tensor& tensor, const std::string& name) {
  if (IsReal(tensor) || IsQuantized(tensor)) return "";
  return name + " is neither f32 nor codes with a scale";
}

inline std::string CheckSameShape(const ScalarCall& call) {
  if (ShapeOf(call.x()) != ShapeOf(call.y())) return "input and output differ in shape";
  std::string objection = CheckValues(call.x(), "the input");
  return objection.empty() ? CheckValues(call.y(), "the output") : objection;
}

inline std::string CheckNoActivation(const ScalarCall& call) {
  return call.attributes.activation == QC_ACTIVATION_NONE
             ? ""
             : "no activation is fused into this operator";
}

inline std::vector<std::string> RealOnly(const ScalarCall&) { return {kRealSchemeName}; }

// Copies first where the codes can be copied.
inline std::vector<std::string> CopyOrReal(const ScalarCall& call) {
  if (SameQparams(call.x(), call.y())) return {kCopySchemeName, kRealSchemeName};
  return {kRealSchemeName};
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_SAME_SHAPE_H_
