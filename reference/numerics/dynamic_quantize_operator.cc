// DYNAMIC_QUANTIZE: x f32 -> codes u8 or s8 without a scale, scale f32 [1], zero_point
// s32 [1] (dynamic_quantization.h). (torch.quantize_per_tensor_dynamic)
#include "reference/numerics/dynamic_quantization.h"
#include "reference/numerics/same_shape.h"

namespace qconform {
namespace {

std::string Check(const ScalarCall& call) {
  const qc_tensor& y = call.y();
  if (!IsReal(call.x())) return "the input is not f32";
  if ((y.dtype != QC_U8 && y.dtype != QC_S8) || IsQuantized(y)) {
    return "output 0 is not u8 or s8 without a scale";
  }
  if (ShapeOf(call.x()) != ShapeOf(y)) return "input and codes differ in shape";
  const qc_tensor& scale = *call.outputs[1];
  const qc_tensor& zero_point = *call.outputs[2];
  if (!IsReal(scale) || ElementCount(scale) != 1) return "output 1 is not f32 [1]";
  if (zero_point.dtype != QC_S32 || IsQuantized(zero_point) ||
      ElementCount(zero_point) != 1) {
    return "output 2 is not s32 [1]";
  }
  const CodeBounds bounds = BoundsOf(y);
  if (bounds.min > 0 || bounds.max < 0 || bounds.max / 2 <= bounds.min / 2) {
    return "the bounds are no range with zero inside";
  }
  return "";
}

void Run(const ScalarCall& call) {
  const DynamicCodes dynamic = QuantizeDynamically(ReadReal(call.x()), BoundsOf(call.y()),
                                                   call.attributes.reduce_range != 0);
  WriteIntegers(call.y(), dynamic.codes);
  WriteReal(*call.outputs[1], std::span(&dynamic.scale, 1), call.scheme);
  WriteIntegers(*call.outputs[2], std::span(&dynamic.zero_point, 1));
}

}  // namespace

const OperatorFamily& DynamicQuantizeFamily() {
  static constexpr OperatorFamily kFamily{Check, RealOnly, Run};
  return kFamily;
}

}  // namespace qconform
