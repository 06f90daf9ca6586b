#include "kernels/backend/code_check.h"

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scalar_operator.h"
#include "reference/numerics/scheme.h"

namespace qconform::kernels {

bool IsCodePerTensor(const qc_tensor& tensor) {
  return IsCode8(tensor) && tensor.quantized_axis < 0;
}

std::string CheckCodes(const qc_descriptor& descriptor, std::string& scheme) {
  std::string reason;
  if (!DefinesOperator(descriptor, &reason)) return reason;
  if (!IsCodePerTensor(*descriptor.inputs[0]))
    return "the input is not u8 or s8 per tensor";
  if (!IsCodePerTensor(*descriptor.outputs[0]))
    return "the output is not u8 or s8 per tensor";
  scheme = ScalarScheme(descriptor);
  return "";
}

std::string CheckRealScheme(const std::string& scheme) {
  return scheme == kRealSchemeName ? "" : std::string("the scheme is ") + kRealSchemeName;
}

}  // namespace qconform::kernels
