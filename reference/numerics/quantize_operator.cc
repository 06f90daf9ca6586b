// QUANTIZE, DEQUANTIZE, REQUANTIZE.
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scalar_call.h"

namespace qconform {
namespace {

std::string Check(const ScalarCall& call) {
  const qc_tensor& x = call.x();
  const qc_tensor& y = call.y();
  if (ShapeOf(x) != ShapeOf(y)) return "input and output differ in shape";
  const bool from_codes = call.kind != QC_QUANTIZE;
  const bool to_codes = call.kind != QC_DEQUANTIZE;
  if (from_codes ? !IsQuantized(x) : !IsReal(x)) {
    return from_codes ? "the input has no scale" : "the input is not f32";
  }
  if (to_codes ? !IsQuantized(y) : !IsReal(y)) {
    return to_codes ? "the output has no scale" : "the output is not f32";
  }
  return "";
}

std::vector<std::string> Schemes(const ScalarCall&) { return {kRealSchemeName}; }

void Run(const ScalarCall& call) { WriteReal(call.y(), ReadReal(call.x()), call.scheme); }

}  // namespace

const OperatorFamily& QuantizeFamily() {
  static constexpr OperatorFamily kFamily{Check, Schemes, Run};
  return kFamily;
}

}  // namespace qconform
