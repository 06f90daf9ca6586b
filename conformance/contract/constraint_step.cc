#include "conformance/contract/constraint_step.h"

#include <cmath>
#include <limits>

namespace qconform {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool IsInteger(std::optional<DType> dtype) {
  return dtype && *dtype != DType::kFloat32 && *dtype != DType::kFloat16;
}

struct Codes {
  int64_t min;
  int64_t max;
};

// All codes of an integer dtype.
Codes CodesOf(DType dtype) {
  switch (dtype) {
    case DType::kQUInt4x2:
      return {0, 15};
    case DType::kQInt8:
    case DType::kInt8:
      return {-128, 127};
    case DType::kQInt32:
    case DType::kInt32:
      return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
    default:
      return {0, 255};
  }
}

// The dtype that a person would confuse it with.
DType OtherDType(std::optional<DType> dtype) {
  if (!dtype) return DType::kQUInt8;
  switch (*dtype) {
    case DType::kQUInt8:
      return DType::kQInt8;
    case DType::kFloat32:
      return DType::kFloat16;
    default:
      return DType::kQUInt8;
  }
}

Argument Scheme(const char* name) { return Argument(std::string("torch.") + name); }

// One side of a qconfig before it is written down.
struct Side {
  DType dtype = DType::kFloat32;
  bool is_dynamic = false;
  std::optional<int64_t> quant_min;
  std::optional<int64_t> quant_max;
  std::optional<double> eps;
  std::optional<double> scale;
  std::optional<int64_t> zero_point;
  bool per_channel = false;
  int64_t channel_axis = 0;
  bool symmetric = false;
  bool weight = false;
  // Of an embedding: its zero points are float.
  bool lookup = false;
  // An observer without range, eps, scale and zero point.
  bool bare = false;
  bool missing = false;
};

Side SideOf(const DTypeWithConstraints& bounds, bool is_dynamic, bool weight) {
  Side side;
  side.dtype = bounds.dtype.value_or(weight ? DType::kQInt8 : DType::kFloat32);
  side.is_dynamic = is_dynamic;
  side.weight = weight;
  side.quant_min = bounds.quant_min_lower_bound;
  side.quant_max = bounds.quant_max_upper_bound;
  side.eps = bounds.scale_min_lower_bound;
  side.scale = bounds.scale_exact_match;
  side.zero_point = bounds.zero_point_exact_match;
  if (side.scale || side.zero_point) {
    if (!side.scale) side.scale = bounds.scale_max_upper_bound.value_or(0.0078125);
    if (!side.zero_point) side.zero_point = 0;
  } else if (bounds.scale_max_upper_bound) {
    // Only a fixed scale is known before calibration.
    side.scale = bounds.scale_max_upper_bound;
    side.zero_point = 0;
  }
  // torch takes both bounds of a range or none.
  const Codes codes = CodesOf(side.dtype);
  if (side.quant_min && !side.quant_max) side.quant_max = codes.max;
  if (side.quant_max && !side.quant_min) side.quant_min = codes.min;
  side.symmetric =
      bounds.qscheme ? *bounds.qscheme == QSchemeConstraint::kSymmetric : weight;
  side.per_channel = bounds.granularity == Granularity::kPerChannel;
  side.channel_axis = bounds.channel_axis.value_or(0);
  return side;
}

void SetRange(const Side& side, OrderedMap<Argument>& kwargs) {
  if (side.quant_min) kwargs.Set("quant_min", Argument(*side.quant_min));
  if (side.quant_max) kwargs.Set("quant_max", Argument(*side.quant_max));
}

std::optional<ObserverConstructor> Write(const Side& side, bool training) {
  if (side.missing) return std::nullopt;
  OrderedMap<Argument> kwargs;
  kwargs.Set("dtype", Argument(side.dtype));
  if (side.is_dynamic || side.bare || !IsInteger(side.dtype)) {
    if (side.is_dynamic) kwargs.Set("is_dynamic", Argument(true));
    if (!side.bare && IsInteger(side.dtype)) {
      SetRange(side, kwargs);
      if (side.eps) kwargs.Set("eps", Argument(*side.eps));
    }
    return ObserverConstructor("PlaceholderObserver", std::move(kwargs));
  }
  if (side.scale) {
    OrderedMap<Argument> fixed;
    fixed.Set("scale", Argument(*side.scale));
    fixed.Set("zero_point", Argument(*side.zero_point));
    fixed.Set("dtype", Argument(side.dtype));
    const Codes codes = CodesOf(side.dtype);
    fixed.Set("quant_min", Argument(side.quant_min.value_or(codes.min)));
    fixed.Set("quant_max", Argument(side.quant_max.value_or(codes.max)));
    ObserverConstructor observer("FixedQParamsObserver", std::move(fixed));
    if (!training) return observer;
    OrderedMap<Argument> outer;
    return ObserverConstructor(
        "FixedQParamsFakeQuantize", std::move(outer),
        std::make_shared<const ObserverConstructor>(std::move(observer)));
  }
  std::string observer = side.per_channel ? "PerChannelMinMaxObserver" : "MinMaxObserver";
  if (side.lookup) {
    observer = "PerChannelMinMaxObserver";
    kwargs.Set("qscheme", Scheme("per_channel_affine_float_qparams"));
    kwargs.Set("ch_axis", Argument(side.channel_axis));
  } else if (side.per_channel) {
    kwargs.Set("qscheme",
               Scheme(side.symmetric ? "per_channel_symmetric" : "per_channel_affine"));
    kwargs.Set("ch_axis", Argument(side.channel_axis));
  } else {
    kwargs.Set("qscheme",
               Scheme(side.symmetric ? "per_tensor_symmetric" : "per_tensor_affine"));
  }
  SetRange(side, kwargs);
  if (side.eps) kwargs.Set("eps", Argument(*side.eps));
  if (!training) return ObserverConstructor(observer, std::move(kwargs));
  if (!side.quant_min && !side.quant_max) {
    const Codes codes = CodesOf(side.dtype);
    kwargs.Set("quant_min", Argument(codes.min));
    kwargs.Set("quant_max", Argument(codes.max));
  }
  return ObserverConstructor("FakeQuantize", std::move(kwargs),
                             std::make_shared<const ObserverConstructor>(
                                 ObserverConstructor("MovingAverage" + observer)));
}

class QConfigSteps {
 public:
  QConfigSteps(const DTypeConfig& config, bool training)
      : config_(config),
        training_(training),
        activation_(SideOf(Merged(config), config.IsDynamic(), false)),
        weight_(WeightOf(config)) {}

  QConfigPointer Pair(const Side& activation, const Side& weight) const {
    return std::make_shared<const QConfig>(
        QConfig{Write(activation, training_), Write(weight, training_)});
  }
  QConfigPointer Satisfied() const { return Pair(activation_, weight_); }

  std::vector<ConstraintStep> All() {
    steps_.push_back({"satisfied", Satisfied()});
    AddBounds("activation", config_.input_dtype, false);
    if (config_.output_dtype != config_.input_dtype && !config_.IsDynamic()) {
      AddBounds("output", config_.output_dtype, false);
    }
    Change("activation.dtype.other", false,
           [](Side& side) { side.dtype = OtherDType(side.dtype); });
    Change("activation.dynamic.flipped", false,
           [](Side& side) { side.is_dynamic = !side.is_dynamic; });
    Change("activation.range.absent", false, [](Side& side) { side.bare = true; });
    Change("activation.missing", false, [](Side& side) { side.missing = true; });
    if (config_.weight_dtype.dtype) {
      AddBounds("weight", config_.weight_dtype, true);
      Change("weight.dtype.other", true,
             [](Side& side) { side.dtype = OtherDType(side.dtype); });
      Change("weight.missing", true, [](Side& side) { side.missing = true; });
      if (config_.weight_dtype.dtype == DType::kQInt8) {
        Change("weight.per_channel.axis_0", true,
               [](Side& side) { side.per_channel = true; });
        Change("weight.per_channel.axis_1", true, [](Side& side) {
          side.per_channel = true;
          side.channel_axis = 1;
        });
        Change("weight.range.absent", true, [](Side& side) { side.bare = true; });
      }
    }
    steps_.push_back({"qconfig.none", nullptr});
    return std::move(steps_);
  }

 private:
  static Side WeightOf(const DTypeConfig& config) {
    Side side = SideOf(config.weight_dtype, false, true);
    // Only embeddings are quantized in nothing but their weight.
    side.lookup = config.input_dtype.dtype == DType::kFloat32 && !config.IsDynamic();
    return side;
  }

  // The activation's observer has to satisfy input and output.
  static DTypeWithConstraints Merged(const DTypeConfig& config) {
    DTypeWithConstraints merged = config.input_dtype;
    if (config.IsDynamic()) return merged;
    const DTypeWithConstraints& other = config.output_dtype;
    if (!merged.dtype) merged.dtype = other.dtype;
    const auto fill = [](auto& into, const auto& from) {
      if (!into) into = from;
    };
    fill(merged.quant_min_lower_bound, other.quant_min_lower_bound);
    fill(merged.quant_max_upper_bound, other.quant_max_upper_bound);
    fill(merged.scale_min_lower_bound, other.scale_min_lower_bound);
    fill(merged.scale_max_upper_bound, other.scale_max_upper_bound);
    fill(merged.scale_exact_match, other.scale_exact_match);
    fill(merged.zero_point_exact_match, other.zero_point_exact_match);
    return merged;
  }

  template <typename Edit>
  void Change(const std::string& name, bool weight, const Edit& edit) {
    Side activation = activation_;
    Side other = weight_;
    edit(weight ? other : activation);
    steps_.push_back({name, Pair(activation, other)});
  }

  void AddBounds(const std::string& side, const DTypeWithConstraints& bounds,
                 bool weight) {
    const auto change = [&](const std::string& name, const auto& edit) {
      Change(side + "." + name, weight, edit);
    };
    if (bounds.quant_min_lower_bound) {
      const int64_t bound = *bounds.quant_min_lower_bound;
      change("quant_min.one_below", [=](Side& s) { s.quant_min = bound - 1; });
      change("quant_min.one_above", [=](Side& s) { s.quant_min = bound + 1; });
      change("quant_min.lone", [](Side& s) { s.quant_max.reset(); });
    }
    if (bounds.quant_max_upper_bound) {
      const int64_t bound = *bounds.quant_max_upper_bound;
      change("quant_max.one_above", [=](Side& s) { s.quant_max = bound + 1; });
      change("quant_max.one_below", [=](Side& s) { s.quant_max = bound - 1; });
      change("quant_max.lone", [](Side& s) { s.quant_min.reset(); });
    }
    if (bounds.quant_min_lower_bound || bounds.quant_max_upper_bound) {
      change("range.unsaid", [](Side& s) {
        s.quant_min.reset();
        s.quant_max.reset();
      });
    }
    if (bounds.scale_min_lower_bound) {
      const auto bound = static_cast<float>(*bounds.scale_min_lower_bound);
      change("scale_min.one_ulp_below",
             [=](Side& s) { s.eps = std::nextafter(bound, 0.F); });
      change("scale_min.one_ulp_above",
             [=](Side& s) { s.eps = std::nextafter(bound, kInfinity); });
      change("scale_min.unsaid", [](Side& s) { s.eps.reset(); });
    }
    if (bounds.scale_max_upper_bound) {
      const auto bound = static_cast<float>(*bounds.scale_max_upper_bound);
      change("scale_max.one_ulp_above",
             [=](Side& s) { s.scale = std::nextafter(bound, kInfinity); });
      change("scale_max.one_ulp_below",
             [=](Side& s) { s.scale = std::nextafter(bound, 0.F); });
      change("scale_max.unsaid", [](Side& s) { s.scale.reset(); });
    }
    if (bounds.scale_exact_match) {
      const auto bound = static_cast<float>(*bounds.scale_exact_match);
      change("scale.one_ulp_below",
             [=](Side& s) { s.scale = std::nextafter(bound, 0.F); });
      change("scale.one_ulp_above",
             [=](Side& s) { s.scale = std::nextafter(bound, kInfinity); });
    }
    if (bounds.zero_point_exact_match) {
      const int64_t bound = *bounds.zero_point_exact_match;
      change("zero_point.one_below", [=](Side& s) { s.zero_point = bound - 1; });
      change("zero_point.one_above", [=](Side& s) { s.zero_point = bound + 1; });
    }
    if (bounds.scale_exact_match || bounds.zero_point_exact_match) {
      change("exact.unsaid", [](Side& s) { s.scale.reset(); });
    }
    if (bounds.qscheme) {
      change("qscheme.other", [](Side& s) { s.symmetric = !s.symmetric; });
    }
    if (bounds.granularity) {
      change("granularity.other", [](Side& s) { s.per_channel = !s.per_channel; });
    }
    if (bounds.channel_axis) {
      change("channel_axis.next", [](Side& s) { ++s.channel_axis; });
    }
  }

  const DTypeConfig& config_;
  const bool training_;
  const Side activation_;
  const Side weight_;
  std::vector<ConstraintStep> steps_;
};

}  // namespace

std::vector<ConstraintStep> ConstraintSteps(const DTypeConfig& config, bool training) {
  return QConfigSteps(config, training).All();
}

QConfigPointer SatisfyingQConfig(const DTypeConfig& config, bool training) {
  return QConfigSteps(config, training).Satisfied();
}

}  // namespace qconform
