#include "reference/numerics/weighted_operator.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "reference/numerics/accumulate.h"
#include "reference/numerics/activation_function.h"
#include "reference/numerics/dynamic_quantization.h"
#include "reference/numerics/quantize_value.h"
#include "reference/numerics/requantize.h"
#include "reference/numerics/same_shape.h"

namespace qconform {
namespace {

// The dimension of w that holds the output channels.
int WeightAxis(const ScalarCall& call) { return call.kind == QC_CONV_TRANSPOSE ? 1 : 0; }

bool IsBound(const qc_attributes& a) {
  return a.activation >= QC_ACTIVATION_NONE && a.activation <= QC_ACTIVATION_CLAMP;
}

bool IsAccumulator(const qc_tensor& y) { return y.dtype == QC_S32 && !IsQuantized(y); }

// The input's codes with their parameters; a dynamic input is quantized here, to u8.
DynamicCodes ReadInput(const ScalarCall& call) {
  const qc_tensor& x = call.x();
  if (IsQuantized(x)) return {ReadIntegers(x), ScaleAt(x), ZeroPointAt(x)};
  return QuantizeDynamically(ReadReal(x), {0, 255}, call.attributes.reduce_range != 0);
}

bool IsDense(const qc_tensor& tensor) {
  int64_t stride = 1;
  for (int i = tensor.rank - 1; i >= 0; --i) {
    if (tensor.shape[i] != 1 && tensor.stride[i] != stride) return false;
    stride *= tensor.shape[i];
  }
  return true;
}

// Precondition: IsCode8.
std::vector<int16_t> ReadBytes(const qc_tensor& tensor) {
  if (!IsDense(tensor)) {
    const std::vector<int32_t> codes = ReadIntegers(tensor);
    return {codes.begin(), codes.end()};
  }
  std::vector<int16_t> codes(static_cast<size_t>(ElementCount(tensor)));
  const auto copy = [&](const auto* from) {
    int16_t* to = codes.data();
#pragma omp simd
    for (size_t i = 0; i < codes.size(); ++i) to[i] = from[i];
  };
  if (tensor.dtype == QC_S8)
    copy(static_cast<const int8_t*>(tensor.data));
  else
    copy(static_cast<const uint8_t*>(tensor.data));
  return codes;
}

class WeightedRun {
 public:
  WeightedRun(const ScalarCall& call, const ConvolutionPlan& plan)
      : call_(call), plan_(plan), input_(ReadInput(call)) {
    if (bias() != nullptr && bias()->dtype == QC_F32) real_biases_ = ReadReal(*bias());
    if (bias() != nullptr && bias()->dtype == QC_S32) bias_codes_ = ReadIntegers(*bias());
  }

  void Run() {
    if (IsRealScheme(call_.scheme)) return RunReal();
    if (call_.y().dtype == QC_F32) return RunToReal();
    RunToCodes();
  }

 private:
  const qc_tensor& w() const { return *call_.inputs[1]; }
  const qc_tensor* bias() const { return call_.input(2); }

  bool IsWorthThreads() const {
    // About a millisecond's work: for less, waking threads takes longer than it saves.
    constexpr int64_t kProducts = 1 << 21;
    return plan_.batch * plan_.groups * plan_.outputs * plan_.positions() *
               plan_.window_size() >
           kProducts;
  }

  // Index of an output channel's parameters in w.
  int64_t WeightChannel(int64_t o) const {
    return plan_.transposed ? o % plan_.outputs : o;
  }

  // 8-bit codes less a zero point have nine bits.
  std::vector<int16_t> CenteredWeights() const {
    std::vector<int16_t> codes = ReadBytes(w());
    if (w().zero_point == nullptr) return codes;
    const int axis = WeightAxis(call_);
    size_t inner = 1;
    for (int i = axis + 1; i < w().rank; ++i) inner *= static_cast<size_t>(w().shape[i]);
    int64_t channel = 0;
    for (size_t begin = 0; begin < codes.size(); begin += inner) {
      const auto zero_point = static_cast<int16_t>(ZeroPointAt(w(), channel));
      if (zero_point != 0) {
#pragma omp simd
        for (size_t i = begin; i < begin + inner; ++i)
          codes[i] = static_cast<int16_t>(codes[i] - zero_point);
      }
      channel = channel + 1 == w().shape[axis] ? 0 : channel + 1;
    }
    return codes;
  }

  ChannelRequantizer Requantizer(int64_t o) const {
    const qc_tensor& y = call_.y();
    std::optional<float> real_bias;
    std::optional<int32_t> bias_code;
    if (bias() != nullptr && bias()->dtype == QC_F32) {
      real_bias = real_biases_[static_cast<size_t>(o)];
    } else if (bias() != nullptr) {
      bias_code = bias_codes_[static_cast<size_t>(o)];
    }
    return {call_.scheme,
            input_.scale,
            ScaleAt(w(), WeightChannel(o)),
            IsQuantized(y) ? ScaleAt(y) : 1.0f,
            IsQuantized(y) ? ZeroPointAt(y) : 0,
            real_bias,
            bias_code};
  }

  // Calls finish(o, dense index of the output, accumulator) for every output.
  template <typename Finish>
  void ForEachAccumulator(const Finish& finish) {
    for (int32_t& code : input_.codes) code -= input_.zero_point;
    const std::vector<int16_t> x = PadInput<int16_t>(plan_, input_.codes);
    const std::vector<int16_t> w = ArrangeWeights<int16_t>(plan_, CenteredWeights());
    const bool may_overflow = MayOverflow(plan_, x, w);
    bool overflow = false;
    const int64_t images = plan_.batch * plan_.groups;
#pragma omp parallel for reduction(|| : overflow) if (IsWorthThreads())
    for (int64_t image = 0; image < images; ++image) {
      bool image_overflow = false;
      const std::vector<int32_t> sums =
          Accumulate(plan_, x, w, image, may_overflow, &image_overflow);
      overflow = overflow || image_overflow;
      finish(image, sums);
    }
    call_.report->accumulator_overflow |= overflow;
  }

  // Calls store(o, first dense index, sums of all positions) for each output channel of
  // each image.
  template <typename Store>
  void ForEachOutput(const Store& store) {
    ForEachAccumulator([&](int64_t image, const std::vector<int32_t>& sums) {
      const auto positions = static_cast<size_t>(plan_.positions());
      for (int64_t j = 0; j < plan_.outputs; ++j) {
        const size_t first = static_cast<size_t>(image * plan_.outputs + j) * positions;
        store(static_cast<size_t>(image % plan_.groups * plan_.outputs + j), first,
              std::span(sums).subspan(static_cast<size_t>(j) * positions, positions));
      }
    });
  }

  std::vector<ChannelRequantizer> Requantizers() const {
    std::vector<ChannelRequantizer> requantizers;
    const int64_t channels = plan_.groups * plan_.outputs;
    requantizers.reserve(static_cast<size_t>(channels));
    for (int64_t o = 0; o < channels; ++o) requantizers.push_back(Requantizer(o));
    return requantizers;
  }

  void RunToCodes() {
    std::vector<int32_t> codes(static_cast<size_t>(ElementCount(call_.y())));
    if (IsAccumulator(call_.y())) {
      ForEachOutput([&](size_t o, size_t first, std::span<const int32_t> sums) {
        const auto start =
            static_cast<uint32_t>(bias_codes_.empty() ? 0 : bias_codes_[o]);
        for (size_t i = 0; i < sums.size(); ++i)
          codes[first + i] = static_cast<int32_t>(static_cast<uint32_t>(sums[i]) + start);
      });
    } else {
      const CodeBounds bounds = FusedBounds(call_.attributes, call_.y());
      const std::vector<ChannelRequantizer> requantizers = Requantizers();
      ForEachOutput([&](size_t o, size_t first, std::span<const int32_t> sums) {
        requantizers[o].Codes(sums, bounds.min, bounds.max, codes.data() + first);
      });
    }
    WriteIntegers(call_.y(), codes);
  }

  void RunToReal() {
    std::vector<float> values(static_cast<size_t>(ElementCount(call_.y())));
    const std::vector<ChannelRequantizer> requantizers = Requantizers();
    ForEachOutput([&](size_t o, size_t first, std::span<const int32_t> sums) {
      for (size_t i = 0; i < sums.size(); ++i)
        values[first + i] =
            ApplyFusedActivation(call_.attributes, requantizers[o].Real(sums[i]));
    });
    WriteReal(call_.y(), values, call_.scheme);
  }

  void RunReal() {
    std::vector<float> real(input_.codes.size());
    for (size_t i = 0; i < real.size(); ++i) {
      real[i] = DequantizeValue(input_.codes[i], input_.zero_point, input_.scale);
    }
    const std::vector<float> x = PadInput<float>(plan_, real);
    const std::vector<float> weights = ArrangeWeights<float>(plan_, ReadReal(w()));
    std::vector<float> biases;
    if (bias() != nullptr) biases = ReadReal(*bias());
    std::vector<float> residual;
    if (call_.attributes.residual != 0) residual = ReadReal(*call_.input(3));
    std::vector<float> values(static_cast<size_t>(ElementCount(call_.y())));
    const int64_t images = plan_.batch * plan_.groups;
#pragma omp parallel for if (IsWorthThreads())
    for (int64_t image = 0; image < images; ++image) {
      const std::vector<float> sums = Accumulate(plan_, x, weights, image);
      for (size_t i = 0; i < sums.size(); ++i) {
        const size_t at = static_cast<size_t>(image) * sums.size() + i;
        const auto j = static_cast<int64_t>(i) / plan_.positions();
        const int64_t o = image % plan_.groups * plan_.outputs + j;
        float value = biases.empty() ? sums[i] : sums[i] + RealBias(biases, o);
        if (!residual.empty()) value += residual[at];
        values[at] = ApplyFusedActivation(call_.attributes, value);
      }
    }
    WriteReal(call_.y(), values, call_.scheme);
  }

  float RealBias(const std::vector<float>& biases, int64_t o) const {
    const float value = biases[static_cast<size_t>(o)];
    if (bias()->dtype == QC_F32) return value;
    return value * (input_.scale * ScaleAt(w(), WeightChannel(o)));
  }

  const ScalarCall& call_;
  const ConvolutionPlan& plan_;
  DynamicCodes input_;
  std::vector<float> real_biases_;
  std::vector<int32_t> bias_codes_;
};

std::string CheckBias(const ScalarCall& call, int64_t outputs) {
  const qc_tensor* bias = call.input(2);
  if (bias == nullptr) return "";
  if (!IsReal(*bias) && bias->dtype != QC_S32) return "the bias is neither f32 nor s32";
  if (ShapeOf(*bias) != std::vector<int64_t>{outputs}) {
    return "the bias has another shape than [output channels]";
  }
  if (IsAccumulator(call.y()) && bias->dtype != QC_S32) {
    return "an accumulator takes no f32 bias";
  }
  return "";
}

}  // namespace

CodeBounds FusedBounds(const qc_attributes& a, const qc_tensor& y) {
  CodeBounds bounds = BoundsOf(y);
  const float reciprocal = ReciprocalScale(ScaleAt(y));
  const auto code_of = [&](float bound) {
    return QuantizeSaturating(bound, reciprocal, ZeroPointAt(y), bounds.min, bounds.max);
  };
  CodeBounds fused = bounds;
  if (a.activation == QC_ACTIVATION_CLAMP) {
    fused = {code_of(a.activation_min), code_of(a.activation_max)};
  } else if (a.activation != QC_ACTIVATION_NONE) {
    fused.min = code_of(0.0f);
    if (a.activation == QC_ACTIVATION_RELU6) fused.max = code_of(6.0f);
  }
  return fused;
}

std::string CheckWeighted(const ScalarCall& call) {
  const qc_tensor& x = call.x();
  const qc_tensor* w = call.input(1);
  const qc_tensor& y = call.y();
  if (w == nullptr) return "the weight is missing";
  const bool dynamic = call.attributes.dynamic != 0;
  if (dynamic ? !IsReal(x) : !(IsCode8(x) && x.quantized_axis < 0)) {
    return dynamic ? "the input is not f32" : "the input is not u8 or s8 per tensor";
  }
  if (dynamic && (call.kind != QC_LINEAR || !IsReal(y))) {
    return "only linear to f32 quantizes its input at run time";
  }
  const int axis = WeightAxis(call);
  if (!IsCode8(*w) || (w->quantized_axis != -1 && w->quantized_axis != axis)) {
    return "the weight is not u8 or s8 per tensor or per output channel";
  }
  if (!IsReal(y) && !IsAccumulator(y) && !(IsQuantized(y) && y.quantized_axis < 0)) {
    return "the output is neither codes per tensor nor f32 nor s32";
  }
  if (!DefinesFusedActivation(call.attributes)) return "the activation is not known";
  const bool residual = call.attributes.residual != 0;
  if (residual != (call.input(3) != nullptr)) return "residual and input 3 disagree";
  if (residual && ShapeOf(*call.input(3)) != ShapeOf(y)) {
    return "the residual has another shape than the output";
  }
  if (residual) {
    const std::string objection = CheckValues(*call.input(3), "the residual");
    if (!objection.empty()) return objection;
  }
  if (IsAccumulator(y) && (residual || call.attributes.activation != 0)) {
    return "an accumulator takes neither activation nor residual";
  }
  return CheckBias(call, call.kind == QC_LINEAR ? w->shape[0] : y.shape[1]);
}

std::vector<std::string> WeightedSchemes(const ScalarCall& call) {
  if (call.attributes.residual != 0 || !IsBound(call.attributes)) {
    return {kRealSchemeName};
  }
  const qc_tensor* bias = call.input(2);
  std::vector<std::string> schemes = {kFloatBiasSchemeName, kRoundedBiasSchemeName};
  if (bias != nullptr && bias->dtype == QC_S32) std::swap(schemes[0], schemes[1]);
  if (IsAccumulator(call.y())) return schemes;
  schemes.push_back(kRealSchemeName);
  return schemes;
}

void RunWeighted(const ScalarCall& call, const ConvolutionPlan& plan) {
  WeightedRun(call, plan).Run();
}

}  // namespace qconform
