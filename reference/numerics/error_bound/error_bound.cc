#include "reference/numerics/error_bound/error_bound.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/error_bound/bound_call.h"
#include "reference/numerics/scalar_operator.h"

namespace qconform {
namespace {

BoundFamily FindFamily(int32_t kind) {
  switch (kind) {
    case QC_CONV:
    case QC_CONV_TRANSPOSE:
    case QC_LINEAR:
      return WeightedBounds;
    case QC_MATMUL:
      return MatmulBounds;
    case QC_SOFTMAX:
    case QC_INSTANCE_NORM:
    case QC_GROUP_NORM:
    case QC_LAYER_NORM:
      return RowBounds;
    case QC_MAX_POOL:
    case QC_AVG_POOL:
    case QC_ADAPTIVE_AVG_POOL:
      return PoolBounds;
    case QC_MEAN:
      return MeanBounds;
    case QC_RESHAPE:
    case QC_TRANSPOSE:
    case QC_SLICE:
    case QC_PAD:
    case QC_CONCAT:
    case QC_PIXEL_SHUFFLE:
    case QC_PIXEL_UNSHUFFLE:
      return MovementBounds;
    case QC_UPSAMPLE:
      return UpsampleBounds;
    case QC_EMBEDDING:
    case QC_EMBEDDING_BAG:
      return EmbeddingBounds;
    case QC_LSTM:
    case QC_GRU:
      return RecurrentBounds;
    case QC_DYNAMIC_QUANTIZE:
      return DynamicQuantizeBounds;
    default:
      return ElementwiseBounds;
  }
}

std::string Real(float value) {
  std::string text(32, '\0');
  text.resize(static_cast<size_t>(
      std::snprintf(text.data(), text.size(), "%.9g", static_cast<double>(value))));
  return text;
}

void AppendScale(const char* name, const qc_tensor* tensor, std::string& text) {
  if (tensor == nullptr || !IsQuantized(*tensor) || tensor->qparam_count == 0) return;
  const float* begin = tensor->scale;
  const auto [least, most] = std::minmax_element(begin, begin + tensor->qparam_count);
  if (!text.empty()) text += ", ";
  text += std::string(name) + " = " + Real(*least);
  if (*most != *least) text += " to " + Real(*most);
}

}  // namespace

std::string ScaleTexts(const ScalarCall& call) {
  static constexpr const char* kNames[] = {"sx", "sw", "sb", "sr"};
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(call.inputs.size(), 4); ++i)
    AppendScale(call.kind == QC_CONCAT ? "sx" : kNames[i], call.input(i), text);
  AppendScale("so", call.output(0), text);
  return text;
}

std::vector<ArithmeticBound> ErrorBounds(const qc_descriptor& descriptor,
                                         std::span<const qc_tensor* const> inputs,
                                         std::string* objection) {
  qc_descriptor any = descriptor;
  any.scheme = nullptr;
  std::string none;
  if (objection == nullptr) objection = &none;
  if (!DefinesOperator(any, objection)) return {};
  ScalarCall call{};
  call.kind = static_cast<qc_operator_kind>(descriptor.kind);
  std::memcpy(&call.attributes, descriptor.attributes,
              std::min<size_t>(descriptor.attributes->size, sizeof(qc_attributes)));
  call.inputs = inputs;
  // Nothing is written through them.
  call.outputs = {const_cast<qc_tensor* const*>(descriptor.outputs),
                  static_cast<size_t>(descriptor.output_count)};
  std::vector<ArithmeticBound> bounds = FindFamily(descriptor.kind)(call);
  if (bounds.empty()) {
    *objection = "an accumulator leaves 32 bits, or there are more than 2^32 products";
  }
  return bounds;
}

AllowedCodes CodesWithin(const Bounded& value, int64_t min, int64_t max) {
  const auto clamped = [&](double code) {
    return static_cast<int64_t>(
        std::clamp(code, static_cast<double>(min), static_cast<double>(max)));
  };
  return {clamped(std::ceil(value.value - value.error - 0.5)),
          clamped(std::floor(value.value + value.error + 0.5))};
}

double DistanceToTie(double value) {
  return 0.5 - std::abs(value - std::nearbyint(value));
}

}  // namespace qconform
