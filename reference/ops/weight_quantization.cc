#include "reference/ops/weight_quantization.h"

#include <optional>

#include "reference/numerics/decomposed.h"
#include "reference/numerics/qscheme.h"
#include "reference/numerics/quantize.h"
#include "reference/ops/elements.h"

namespace qconform {
namespace {

struct WeightQparams {
  Tensor weight;
  std::optional<QScheme> qscheme;
  DType dtype = DType::kQInt8;
  std::vector<double> scale;
  std::vector<double> zero_point;
  int axis = 0;
  bool is_decomposed = false;
  QuantizeMode mode = QuantizeMode::kTorch;
  int64_t quant_min = 0;
  int64_t quant_max = 0;
};

// An attribute that holds a dtype, as such or by name.
std::optional<DType> DTypeAttribute(const Module& module, const std::string& name) {
  const Argument* value = module.attributes.Find(name);
  if (value == nullptr) return std::nullopt;
  if (const DType* dtype = value->As<DType>()) return *dtype;
  if (const OpaqueValue* opaque = value->As<OpaqueValue>()) {
    return ParseDType(opaque->text);
  }
  return ParseDType(module.Text(name, ""));
}

std::string TextAttribute(const Module& module, const std::string& name) {
  const Argument* value = module.attributes.Find(name);
  if (value != nullptr && value->As<OpaqueValue>() != nullptr) {
    return value->As<OpaqueValue>()->text;
  }
  return module.Text(name, "");
}

WeightQparams ReadWeightQparams(const Module& module, const std::string& name,
                                const Call& call) {
  WeightQparams result;
  const Tensor* weight = module.FindTensor(name);
  if (weight == nullptr) call.Fail("the module has no parameter '" + name + "'");
  result.weight = *weight;
  result.dtype = DTypeAttribute(module, name + "_dtype").value_or(DType::kQInt8);
  result.axis = static_cast<int>(module.Integer(name + "_axis_int", 0));
  result.is_decomposed = module.Boolean("is_decomposed", false);
  if (module.Boolean(kAsDeclared, false)) result.mode = QuantizeMode::kStrict;
  const Tensor* scale = module.FindTensor(name + "_scale");
  const Tensor* zero_point = module.FindTensor(name + "_zero_point");
  if (scale == nullptr || zero_point == nullptr) return result;
  result.scale = ReadElements<double>(*scale);
  result.zero_point = ReadElements<double>(*zero_point);
  const std::string qscheme = TextAttribute(module, name + "_qscheme");
  result.qscheme = ParseQScheme(qscheme);
  if (!result.qscheme && !module.attributes.Contains(name + "_qscheme")) {
    result.qscheme =
        scale->numel() > 1 ? QScheme::kPerChannelAffine : QScheme::kPerTensorAffine;
  }
  if (!result.qscheme) return result;
  if (IsQuantizedDType(result.dtype)) {
    const IntegerRange range = CodeRange(result.dtype);
    result.quant_min = module.Integer(name + "_quant_min", range.min);
    result.quant_max = module.Integer(name + "_quant_max", range.max);
  }
  const bool per_channel = IsPerChannel(*result.qscheme);
  if (per_channel &&
      (result.axis < 0 || result.axis >= weight->rank() ||
       static_cast<int64_t>(result.scale.size()) != weight->dim(result.axis))) {
    call.Fail("'" + name + "' of shape " + ShapeText(weight->shape()) + " with " +
                  std::to_string(result.scale.size()) + " scales on axis " +
                  std::to_string(result.axis),
              "one scale for each slice");
  }
  if (result.scale.size() != result.zero_point.size() || result.scale.empty()) {
    call.Fail("'" + name + "' has " + std::to_string(result.scale.size()) +
              " scales and " + std::to_string(result.zero_point.size()) + " zero points");
  }
  return result;
}

DType PlainDType(DType dtype) {
  if (dtype == DType::kQInt8) return DType::kInt8;
  return dtype == DType::kQInt32 ? DType::kInt32 : DType::kUInt8;
}

Tensor QuantizeNatively(const WeightQparams& w) {
  switch (*w.qscheme) {
    case QScheme::kPerTensorAffine:
    case QScheme::kPerTensorSymmetric:
      return QuantizePerTensor(w.weight, w.scale[0],
                               static_cast<int64_t>(w.zero_point[0]), w.dtype, w.mode);
    case QScheme::kPerChannelAffineFloatQparams:
      return QuantizePerChannelFloatQparams(w.weight, w.scale, w.zero_point, w.axis,
                                            w.dtype, w.mode);
    default:
      return QuantizePerChannel(w.weight, w.scale, w.zero_point, w.axis, w.dtype);
  }
}

Tensor ThroughDecomposed(const WeightQparams& w) {
  const DType plain = PlainDType(w.dtype);
  if (!IsPerChannel(*w.qscheme)) {
    const int64_t zero_point = static_cast<int64_t>(w.zero_point[0]);
    return DecomposedDequantizePerTensor(
        DecomposedQuantizePerTensor(w.weight, w.scale[0], zero_point, w.quant_min,
                                    w.quant_max, plain),
        w.scale[0], zero_point, w.quant_min, w.quant_max);
  }
  return DecomposedDequantizePerChannel(
      DecomposedQuantizePerChannel(w.weight, w.scale, w.zero_point, w.axis, w.quant_min,
                                   w.quant_max, plain),
      w.scale, w.zero_point, w.axis, w.quant_min, w.quant_max);
}

void CheckQuantizable(const WeightQparams& w, const std::string& name, const Call& call) {
  if (!IsQuantizedDType(w.dtype)) {
    call.Fail("'" + name + "' has dtype " + std::string(DTypeName(w.dtype)),
              "a quantized one or float16");
  }
}

}  // namespace

Tensor QuantizedAndDequantizedWeight(const Module& module, const std::string& name,
                                     const Call& call) {
  const WeightQparams w = ReadWeightQparams(module, name, call);
  if (!w.qscheme) return w.weight;
  if (w.dtype == DType::kFloat16) {
    return Cast(Cast(w.weight, DType::kFloat16), DType::kFloat32);
  }
  CheckQuantizable(w, name, call);
  if (w.is_decomposed) {
    if (w.dtype == DType::kQUInt4x2 || w.dtype == DType::kQUInt2x4) {
      call.Fail("'" + name + "' has dtype " + std::string(DTypeName(w.dtype)),
                "quint8, qint8 or qint32 in a decomposed module");
    }
    return ThroughDecomposed(w);
  }
  return Dequantize(QuantizeNatively(w));
}

Tensor QuantizedWeight(const Module& module, const std::string& name, const Call& call) {
  const WeightQparams w = ReadWeightQparams(module, name, call);
  if (!w.qscheme) return w.weight;
  if (w.dtype == DType::kFloat16) return Cast(w.weight, DType::kFloat16);
  CheckQuantizable(w, name, call);
  return QuantizeNatively(w);
}

}  // namespace qconform
