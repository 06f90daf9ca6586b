#include "reference/backends/dtype_tables.h"

namespace qconform {
namespace {

constexpr double kLeastScale = 0.000244140625;  // 2^-12

DTypeConfig Make(DTypeWithConstraints input, DTypeWithConstraints output,
                 DTypeWithConstraints weight = {}, std::optional<DType> bias = {},
                 std::optional<bool> is_dynamic = {}) {
  return {input, output, weight, bias, is_dynamic};
}

DTypeWithConstraints SymmetricActivation() {
  DTypeWithConstraints dtype(DType::kQInt8);
  dtype.scale_min_lower_bound = kLeastScale;
  return dtype;
}

DTypeWithConstraints SymmetricWeight() {
  DTypeWithConstraints dtype = SymmetricActivation();
  dtype.quant_min_lower_bound = -127;
  dtype.quant_max_upper_bound = 127;
  return dtype;
}

}  // namespace

DTypeConfig WeightedQUInt8() {
  return Make(DType::kQUInt8, DType::kQUInt8, DType::kQInt8, DType::kFloat32);
}
DTypeConfig ActivationQUInt8() { return Make(DType::kQUInt8, DType::kQUInt8); }
DTypeConfig ActivationQUInt8FloatWeight() {
  return Make(DType::kQUInt8, DType::kQUInt8, DType::kFloat32, DType::kFloat32);
}
DTypeConfig DynamicQInt8() {
  return Make(DType::kQUInt8, DType::kFloat32, DType::kQInt8, DType::kFloat32, true);
}
DTypeConfig DynamicFloat16() {
  return Make(DType::kFloat16, DType::kFloat32, DType::kFloat16, DType::kFloat32, true);
}
DTypeConfig Float16() {
  return Make(DType::kFloat16, DType::kFloat16, DType::kFloat16, DType::kFloat16);
}
DTypeConfig WeightOnly(DType weight) {
  return Make(DType::kFloat32, DType::kFloat32, weight);
}
DTypeConfig WeightedQInt8() {
  return Make(DType::kQInt8, DType::kQInt8, DType::kQInt8, DType::kFloat32);
}
DTypeConfig ActivationQInt8() { return Make(DType::kQInt8, DType::kQInt8); }
DTypeConfig WeightedQInt8Symmetric() {
  return Make(SymmetricActivation(), SymmetricActivation(), SymmetricWeight(),
              DType::kFloat32);
}
DTypeConfig ActivationQInt8Symmetric() {
  return Make(SymmetricActivation(), SymmetricActivation());
}
DTypeConfig DynamicQInt8Symmetric() {
  return Make(SymmetricActivation(), DType::kFloat32, SymmetricWeight(), DType::kFloat32,
              true);
}

}  // namespace qconform
