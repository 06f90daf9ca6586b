#include "conformance/contract/kernel/kernel_steps.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "conformance/contract/kernel/shape_calls.h"
#include "conformance/host/code_element.h"

namespace qconform {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool TakesWeight(qc_operator_kind kind) {
  return kind == QC_CONV || kind == QC_CONV_TRANSPOSE || kind == QC_LINEAR;
}

// Operators behind which configs put a ReLU.
bool TakesRelu(qc_operator_kind kind) {
  return TakesWeight(kind) || kind == QC_ADD || kind == QC_SUB || kind == QC_MUL ||
         kind == QC_BATCH_NORM;
}

class CallSteps {
 public:
  CallSteps(const OperatorCall& call, const DTypeConfig& config)
      : call_(call), config_(config), shares_(SharesQparams(call)) {}

  std::vector<KernelStep> Take() {
    steps_.push_back({"satisfied", call_});
    AddSide(CallSide::kInput, config_.input_dtype);
    AddSide(CallSide::kOutput, config_.output_dtype);
    AddSide(CallSide::kWeight, config_.weight_dtype);
    AddBias();
    AddOutputInFloat();
    AddRelu();
    AddDynamic();
    AddShapes();
    return std::move(steps_);
  }

 private:
  template <typename Edit>
  void Change(const std::string& name, CallSide side, bool scale, const Edit& edit) {
    OperatorCall call = call_;
    for (CallTensor* tensor : TensorsOf(call, side)) {
      if (IsCode(tensor->dtype)) edit(*tensor);
    }
    // Operators that move codes do so with one pair of qparams.
    if (shares_ && call.inputs[0]->dtype == call.outputs[0].dtype) {
      ShareQparams(call, side);
    }
    steps_.push_back({std::string(CallSideName(side)) + "." + name, std::move(call),
                      scale ? std::optional(side) : std::nullopt});
  }

  void SetScale(const std::string& name, CallSide side, float scale) {
    Change(name, side, true, [=](CallTensor& tensor) {
      SetQparams(
          tensor, [=](float) { return scale; }, [](int64_t zero) { return zero; });
    });
  }

  void SetZeroPoint(const std::string& name, CallSide side, int64_t zero_point,
                    const CodeBounds& range) {
    if (zero_point < range.min || zero_point > range.max) return;
    Change(name, side, false, [=](CallTensor& tensor) {
      SetQparams(
          tensor, [](float scale) { return scale; }, [=](int64_t) { return zero_point; });
    });
  }

  void SetRange(const std::string& name, CallSide side, int64_t min, int64_t max) {
    Change(name, side, false, [=](CallTensor& tensor) {
      tensor.quant_min = static_cast<int32_t>(min);
      tensor.quant_max = static_cast<int32_t>(max);
      const CodeBounds range = BoundsOf(tensor);
      SetQparams(
          tensor, [](float scale) { return scale; },
          [&](int64_t zero) { return std::clamp(zero, range.min, range.max); });
    });
  }

  void AddRange(CallSide side, const DTypeWithConstraints& bounds,
                const CodeBounds& all) {
    const int64_t min = bounds.quant_min_lower_bound.value_or(all.min);
    const int64_t max = bounds.quant_max_upper_bound.value_or(all.max);
    if (bounds.quant_min_lower_bound) {
      SetRange("quant_min.one_above", side, min + 1, max);
      if (min > all.min) SetRange("quant_min.one_below", side, min - 1, max);
    }
    if (bounds.quant_max_upper_bound) {
      SetRange("quant_max.one_below", side, min, max - 1);
      if (max < all.max) SetRange("quant_max.one_above", side, min, max + 1);
    }
    // The whole range of the dtype.
    if (bounds.quant_min_lower_bound || bounds.quant_max_upper_bound) {
      SetRange("range.unsaid", side, 0, 0);
    }
  }

  void AddScale(CallSide side, const DTypeWithConstraints& bounds) {
    const auto around = [&](const std::string& name, double at, bool exact) {
      const auto bound = static_cast<float>(at);
      if (!exact) SetScale(name + ".at", side, bound);
      SetScale(name + ".one_ulp_below", side, std::nextafter(bound, 0.F));
      SetScale(name + ".one_ulp_above", side, std::nextafter(bound, kInfinity));
    };
    if (bounds.scale_min_lower_bound) {
      around("scale_min", *bounds.scale_min_lower_bound, false);
    }
    if (bounds.scale_max_upper_bound) {
      around("scale_max", *bounds.scale_max_upper_bound, false);
    }
    if (bounds.scale_exact_match) around("scale", *bounds.scale_exact_match, true);
  }

  // Of channels whose zero points differ; one channel alone, where all have to be alike.
  void AddChannelZeroPoints(CallSide side, const DTypeWithConstraints& bounds,
                            const CallTensor& tensor) {
    if (side != CallSide::kWeight || tensor.axis < 0 || tensor.zero_point.size() < 2)
      return;
    if (bounds.zero_point_exact_match ||
        bounds.qscheme == QSchemeConstraint::kSymmetric) {
      Change("zero_point.last_channel_one_above", side, false,
             [](CallTensor& weight) { ++weight.zero_point.back(); });
      return;
    }
    Change("zero_point.by_channel", side, false, [](CallTensor& weight) {
      const CodeBounds range = BoundsOf(weight);
      for (size_t c = 0; c < weight.zero_point.size(); ++c) {
        const int64_t shifted = weight.zero_point[c] + static_cast<int64_t>(c) + 1;
        weight.zero_point[c] = static_cast<int32_t>(std::min(shifted, range.max));
      }
    });
  }

  void AddGranularity(CallSide side, const CallTensor& tensor) {
    // Activations have one scale in every pipeline.
    if (side != CallSide::kWeight || !TakesWeight(call_.kind)) return;
    if (tensor.axis >= 0) {
      Change("granularity.per_tensor", side, false, [](CallTensor& weight) {
        weight.scale.resize(1);
        weight.zero_point.resize(1);
        weight.axis = -1;
      });
      return;
    }
    const int axis = call_.kind == QC_CONV_TRANSPOSE ? 1 : 0;
    Change("granularity.per_channel", side, false, [=](CallTensor& weight) {
      const auto channels = static_cast<size_t>(weight.shape[static_cast<size_t>(axis)]);
      const float scale = weight.scale[0];
      weight.scale.assign(channels, scale);
      // One channel's is not another's. Up: a bound from below holds.
      for (size_t c = 1; c < channels; c += 2) weight.scale[c] = 2 * scale;
      weight.zero_point.assign(channels,
                               weight.zero_point.empty() ? 0 : weight.zero_point[0]);
      weight.axis = axis;
    });
  }

  void AddSide(CallSide side, const DTypeWithConstraints& bounds) {
    OperatorCall probe = call_;
    const std::vector<CallTensor*> tensors = TensorsOf(probe, side);
    if (tensors.empty() || !IsCode(tensors[0]->dtype)) return;
    const CallTensor& tensor = *tensors[0];
    Change("dtype.other", side, false,
           [](CallTensor& each) { SetDType(each, each.dtype == QC_U8 ? QC_S8 : QC_U8); });
    const CodeBounds all = AllCodes(tensor.dtype);
    AddRange(side, bounds, all);
    AddScale(side, bounds);
    AddGranularity(side, tensor);
    AddChannelZeroPoints(side, bounds, tensor);
    if (bounds.zero_point_exact_match) {
      const int64_t exact = *bounds.zero_point_exact_match;
      SetZeroPoint("zero_point.one_below", side, exact - 1, all);
      SetZeroPoint("zero_point.one_above", side, exact + 1, all);
    } else if (bounds.qscheme == QSchemeConstraint::kSymmetric) {
      SetZeroPoint("zero_point.off_the_middle", side, tensor.dtype == QC_U8 ? 129 : 1,
                   all);
    }
  }

  // Zero in either unit.
  void AddBias() {
    OperatorCall call = call_;
    for (CallTensor* bias : TensorsOf(call, CallSide::kBias)) {
      if (bias->dtype != QC_F32 && bias->dtype != QC_S32) continue;
      bias->dtype = bias->dtype == QC_F32 ? QC_S32 : QC_F32;
      std::fill(bias->data.begin(), bias->data.end(), std::byte{0});
      steps_.push_back({"bias.dtype.other", call});
    }
  }

  void AddOutputInFloat() {
    OperatorCall call = call_;
    for (CallTensor* output : TensorsOf(call, CallSide::kOutput)) {
      if (!IsCode(output->dtype)) continue;
      SetDType(*output, QC_F32);
      steps_.push_back({"output.dtype.float", call});
    }
  }

  void AddRelu() {
    if (!TakesRelu(call_.kind)) return;
    OperatorCall call = call_;
    const bool fused = call.attributes.activation == QC_ACTIVATION_RELU;
    call.attributes.activation = fused ? QC_ACTIVATION_NONE : QC_ACTIVATION_RELU;
    steps_.push_back({fused ? "relu.left_out" : "relu.fused", std::move(call)});
  }

  void AddDynamic() {
    if (call_.kind != QC_LINEAR || call_.attributes.dynamic != 0) return;
    OperatorCall call = call_;
    call.attributes.dynamic = 1;
    for (const CallSide side : {CallSide::kInput, CallSide::kOutput}) {
      for (CallTensor* tensor : TensorsOf(call, side)) SetDType(*tensor, QC_F32);
    }
    steps_.push_back({"dynamic", std::move(call)});
  }

  void AddShapes() {
    for (ShapeCall& each : ShapeCalls(call_, config_))
      steps_.push_back({"shape." + each.name, std::move(each.call)});
  }

  const OperatorCall& call_;
  const DTypeConfig& config_;
  const bool shares_;
  std::vector<KernelStep> steps_;
};

}  // namespace

std::vector<KernelStep> KernelSteps(const OperatorCall& call, const DTypeConfig& config) {
  return CallSteps(call, config).Take();
}

}  // namespace qconform
