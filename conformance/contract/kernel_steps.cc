#include "conformance/contract/kernel_steps.h"

#include <cmath>
#include <functional>
#include <limits>

namespace qconform {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool TakesWeight(qc_operator_kind kind) {
  return kind == QC_CONV || kind == QC_CONV_TRANSPOSE || kind == QC_LINEAR;
}

bool IsCode(const CallTensor& tensor) {
  return tensor.dtype == QC_U8 || tensor.dtype == QC_S8;
}

// The same real numbers in codes of the other signedness.
void FlipSign(CallTensor& tensor) {
  const bool to_signed = tensor.dtype == QC_U8;
  tensor.dtype = to_signed ? QC_S8 : QC_U8;
  for (int32_t& zero_point : tensor.zero_point) zero_point += to_signed ? -128 : 128;
  for (std::byte& code : tensor.data) code ^= std::byte{0x80};
  if (tensor.quant_min != 0 || tensor.quant_max != 0) {
    tensor.quant_min += to_signed ? -128 : 128;
    tensor.quant_max += to_signed ? -128 : 128;
  }
}

class Steps {
 public:
  Steps(const OperatorCall& call, const DTypeConfig& config)
      : call_(call), config_(config) {}

  std::vector<KernelStep> Take() {
    steps_.push_back({"satisfied", call_});
    AddSide("input", config_.input_dtype, [](OperatorCall& call) {
      std::vector<CallTensor*> tensors;
      const size_t count = TakesWeight(call.kind) ? 1 : call.inputs.size();
      for (size_t i = 0; i < count && i < call.inputs.size(); ++i) {
        if (call.inputs[i] && !call.inputs[i]->constant)
          tensors.push_back(&*call.inputs[i]);
      }
      return tensors;
    });
    AddSide("output", config_.output_dtype, [](OperatorCall& call) {
      std::vector<CallTensor*> tensors;
      if (!call.outputs.empty()) tensors.push_back(&call.outputs[0]);
      return tensors;
    });
    if (TakesWeight(call_.kind)) {
      AddSide("weight", config_.weight_dtype, [](OperatorCall& call) {
        std::vector<CallTensor*> tensors;
        if (call.inputs.size() > 1 && call.inputs[1]) tensors.push_back(&*call.inputs[1]);
        return tensors;
      });
      AddBias();
    }
    return std::move(steps_);
  }

 private:
  using Side = std::function<std::vector<CallTensor*>(OperatorCall&)>;

  template <typename Edit>
  void Change(const std::string& name, const Side& side, const Edit& edit) {
    OperatorCall call = call_;
    for (CallTensor* tensor : side(call)) {
      if (IsCode(*tensor)) edit(*tensor);
    }
    steps_.push_back({name, std::move(call)});
  }

  void SetScale(const std::string& name, const Side& side, float scale) {
    Change(name, side, [=](CallTensor& tensor) {
      for (float& each : tensor.scale) each = scale;
    });
  }

  void AddSide(const std::string& name, const DTypeWithConstraints& bounds,
               const Side& side) {
    OperatorCall probe = call_;
    const std::vector<CallTensor*> tensors = side(probe);
    if (tensors.empty() || !IsCode(*tensors[0])) return;
    Change(name + ".dtype.other", side, FlipSign);
    const CodeBounds all =
        tensors[0]->dtype == QC_U8 ? CodeBounds{0, 255} : CodeBounds{-128, 127};
    if (bounds.quant_min_lower_bound && *bounds.quant_min_lower_bound > all.min) {
      const int64_t bound = *bounds.quant_min_lower_bound;
      Change(name + ".quant_min.one_below", side, [=](CallTensor& tensor) {
        const CodeBounds now = BoundsOf(tensor);
        tensor.quant_min = static_cast<int32_t>(bound - 1);
        tensor.quant_max = static_cast<int32_t>(now.max);
      });
    }
    if (bounds.quant_max_upper_bound && *bounds.quant_max_upper_bound < all.max) {
      const int64_t bound = *bounds.quant_max_upper_bound;
      Change(name + ".quant_max.one_above", side, [=](CallTensor& tensor) {
        const CodeBounds now = BoundsOf(tensor);
        tensor.quant_min = static_cast<int32_t>(now.min);
        tensor.quant_max = static_cast<int32_t>(bound + 1);
      });
    }
    const auto single = [](const std::optional<double>& bound) {
      return static_cast<float>(*bound);
    };
    if (bounds.scale_min_lower_bound) {
      const float bound = single(bounds.scale_min_lower_bound);
      SetScale(name + ".scale_min.at", side, bound);
      SetScale(name + ".scale_min.one_ulp_below", side, std::nextafter(bound, 0.F));
    }
    if (bounds.scale_max_upper_bound) {
      const float bound = single(bounds.scale_max_upper_bound);
      SetScale(name + ".scale_max.at", side, bound);
      SetScale(name + ".scale_max.one_ulp_above", side, std::nextafter(bound, kInfinity));
    }
    if (bounds.scale_exact_match) {
      const float bound = single(bounds.scale_exact_match);
      SetScale(name + ".scale.one_ulp_below", side, std::nextafter(bound, 0.F));
      SetScale(name + ".scale.one_ulp_above", side, std::nextafter(bound, kInfinity));
    }
    if (bounds.zero_point_exact_match) {
      for (const int64_t step : {-1, 1}) {
        const int64_t moved = *bounds.zero_point_exact_match + step;
        if (moved < all.min || moved > all.max) continue;
        Change(name + (step < 0 ? ".zero_point.one_below" : ".zero_point.one_above"),
               side, [=](CallTensor& tensor) {
                 for (int32_t& each : tensor.zero_point)
                   each = static_cast<int32_t>(moved);
               });
      }
    }
  }

  // A bias in units of the accumulator where the config has a float one.
  void AddBias() {
    if (call_.inputs.size() < 3 || !call_.inputs[2] || call_.inputs[2]->dtype != QC_F32) {
      return;
    }
    OperatorCall call = call_;
    CallTensor& bias = *call.inputs[2];
    bias.dtype = QC_S32;
    for (std::byte& byte : bias.data) byte = std::byte{0};
    steps_.push_back({"bias.dtype.other", std::move(call)});
  }

  const OperatorCall& call_;
  const DTypeConfig& config_;
  std::vector<KernelStep> steps_;
};

}  // namespace

std::vector<KernelStep> KernelSteps(const OperatorCall& call, const DTypeConfig& config) {
  return Steps(call, config).Take();
}

}  // namespace qconform
