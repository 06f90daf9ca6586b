#include "reference/qconfig/constraint_check.h"

#include <fmt/format.h>

#include "reference/ir/error.h"
#include "reference/qconfig/default_qconfig.h"
#include "reference/qconfig/observer_settings.h"

namespace qconform {
namespace {

constexpr const char* kQuantMin = "quant_min_lower_bound";
constexpr const char* kQuantMax = "quant_max_upper_bound";
constexpr const char* kScaleMin = "scale_min_lower_bound";
constexpr const char* kScaleMax = "scale_max_upper_bound";
constexpr const char* kScaleExact = "scale_exact_match";
constexpr const char* kZeroPointExact = "zero_point_exact_match";
constexpr const char* kQScheme = "qscheme";
constexpr const char* kGranularity = "granularity";
constexpr const char* kChannelAxis = "channel_axis";

ConstraintVerdict Refuse(const char* constraint, std::string reason) {
  return {false, constraint, std::move(reason)};
}

class Checker {
 public:
  Checker(const QConfigPointer& qconfig, const ObserverSettings& observer,
          const DTypeWithConstraints& bounds, bool is_activation, Mode mode)
      : qconfig_(qconfig),
        observer_(observer),
        bounds_(bounds),
        side_(is_activation ? "activation" : "weight"),
        mode_(mode) {}

  ConstraintVerdict Check() const {
    ConstraintVerdict verdict = CheckRange();
    if (verdict) verdict = CheckScaleMin();
    if (verdict && mode_ == Mode::kStrict) verdict = CheckScaleMax();
    if (verdict) verdict = CheckExact();
    if (verdict && mode_ == Mode::kStrict) verdict = CheckQScheme();
    return verdict;
  }

 private:
  ConstraintVerdict CheckRange() const {
    const bool low = bounds_.quant_min_lower_bound.has_value();
    const bool high = bounds_.quant_max_upper_bound.has_value();
    const bool enforced = mode_ == Mode::kStrict ? low || high : low && high;
    if (!enforced) return {};
    if (!observer_.quant_min || !observer_.quant_max) {
      return Refuse(low ? kQuantMin : kQuantMax,
                    fmt::format("{} {} has no quant_min and quant_max, the backend wants "
                                "{}",
                                side_, observer_.class_name, RangeText()));
    }
    if (low && *observer_.quant_min < *bounds_.quant_min_lower_bound) {
      return Refuse(kQuantMin, fmt::format("{} quant_min {} is below {} {}", side_,
                                           *observer_.quant_min, kQuantMin,
                                           *bounds_.quant_min_lower_bound));
    }
    if (high && *observer_.quant_max > *bounds_.quant_max_upper_bound) {
      return Refuse(kQuantMax, fmt::format("{} quant_max {} is above {} {}", side_,
                                           *observer_.quant_max, kQuantMax,
                                           *bounds_.quant_max_upper_bound));
    }
    return {};
  }

  std::string RangeText() const {
    const auto text = [](const std::optional<int64_t>& bound) {
      return bound ? std::to_string(*bound) : std::string("any");
    };
    return text(bounds_.quant_min_lower_bound) + " to " +
           text(bounds_.quant_max_upper_bound);
  }

  // torch reads the observer's eps as the least scale that it can give.
  ConstraintVerdict CheckScaleMin() const {
    if (!bounds_.scale_min_lower_bound) return {};
    if (!observer_.eps) {
      return Refuse(kScaleMin,
                    fmt::format("{} {} has no eps, {} is {}", side_, observer_.class_name,
                                kScaleMin, *bounds_.scale_min_lower_bound));
    }
    if (*observer_.eps < static_cast<float>(*bounds_.scale_min_lower_bound)) {
      return Refuse(kScaleMin,
                    fmt::format("{} eps {} is below {} {}", side_, *observer_.eps,
                                kScaleMin, *bounds_.scale_min_lower_bound));
    }
    return {};
  }

  // Only a fixed scale is known before calibration.
  ConstraintVerdict CheckScaleMax() const {
    if (!bounds_.scale_max_upper_bound || !observer_.fixed_scale) return {};
    if (*observer_.fixed_scale <= *bounds_.scale_max_upper_bound) return {};
    return Refuse(kScaleMax,
                  fmt::format("{} scale {} is above {} {}", side_, *observer_.fixed_scale,
                              kScaleMax, *bounds_.scale_max_upper_bound));
  }

  ConstraintVerdict CheckExact() const {
    const bool scale = bounds_.scale_exact_match.has_value();
    const bool zero_point = bounds_.zero_point_exact_match.has_value();
    const bool enforced =
        mode_ == Mode::kStrict ? scale || zero_point : scale && zero_point;
    if (!enforced) return {};
    for (const char* accepted : {"float16_static_qconfig", "float16_dynamic_qconfig"}) {
      if (QConfigEquals(qconfig_, NamedQConfig(accepted))) return {};
    }
    if (!observer_.fixed_scale || !observer_.fixed_zero_point) {
      return Refuse(scale ? kScaleExact : kZeroPointExact,
                    fmt::format("{} {} does not fix its scale and zero point, the "
                                "backend wants {}",
                                side_, observer_.class_name, ExactText()));
    }
    if (scale && static_cast<float>(*observer_.fixed_scale) !=
                     static_cast<float>(*bounds_.scale_exact_match)) {
      return Refuse(kScaleExact,
                    fmt::format("{} scale {} is not {} {}", side_, *observer_.fixed_scale,
                                kScaleExact, *bounds_.scale_exact_match));
    }
    if (zero_point && *observer_.fixed_zero_point != *bounds_.zero_point_exact_match) {
      return Refuse(
          kZeroPointExact,
          fmt::format("{} zero point {} is not {} {}", side_, *observer_.fixed_zero_point,
                      kZeroPointExact, *bounds_.zero_point_exact_match));
    }
    return {};
  }

  // Beyond torch. An observer without a qscheme computes no parameters of its own.
  ConstraintVerdict CheckQScheme() const {
    const auto scheme = [this] {
      return observer_.qscheme.empty() ? std::string("none") : observer_.qscheme;
    };
    if (bounds_.qscheme && (observer_.qscheme.empty() ||
                            observer_.IsSymmetric() !=
                                (*bounds_.qscheme == QSchemeConstraint::kSymmetric))) {
      return Refuse(kQScheme, fmt::format("{} qscheme {} is not {} {}", side_, scheme(),
                                          kQScheme, Name(*bounds_.qscheme)));
    }
    const bool per_channel = observer_.IsPerChannel();
    if (bounds_.granularity &&
        (observer_.qscheme.empty() ||
         per_channel != (*bounds_.granularity == Granularity::kPerChannel))) {
      return Refuse(kGranularity,
                    fmt::format("{} qscheme {} is not {} {}", side_, scheme(),
                                kGranularity, Name(*bounds_.granularity)));
    }
    if (bounds_.channel_axis && per_channel &&
        *observer_.channel_axis != *bounds_.channel_axis) {
      return Refuse(kChannelAxis, fmt::format("{} channel axis {} is not {} {}", side_,
                                              *observer_.channel_axis, kChannelAxis,
                                              *bounds_.channel_axis));
    }
    return {};
  }

  std::string ExactText() const {
    std::string text;
    if (bounds_.scale_exact_match) {
      text += fmt::format("scale {}", *bounds_.scale_exact_match);
    }
    if (bounds_.zero_point_exact_match) {
      text += fmt::format("{}zero point {}", text.empty() ? "" : ", ",
                          *bounds_.zero_point_exact_match);
    }
    return text;
  }

  const QConfigPointer& qconfig_;
  const ObserverSettings& observer_;
  const DTypeWithConstraints& bounds_;
  const char* side_;
  Mode mode_;
};

}  // namespace

ConstraintVerdict SatisfiesConstraints(const QConfigPointer& qconfig,
                                       const DTypeWithConstraints& constraints,
                                       bool is_activation, Mode mode) {
  if (qconfig == nullptr || !constraints.dtype) return {};
  const std::optional<ObserverConstructor>& side =
      is_activation ? qconfig->activation : qconfig->weight;
  if (!side) return {};
  const ObserverSettings observer = DescribeObserver(*side);
  if (!observer.dtype) {
    throw PipelineError("AssertionError",
                        "activation_post_process must be an activation post process");
  }
  if (*observer.dtype != *constraints.dtype) return {};
  if (constraints == DTypeWithConstraints(*constraints.dtype)) return {};
  const auto check = [&](Mode checked) {
    return Checker(qconfig, DescribeObserver(*side, checked), constraints, is_activation,
                   checked)
        .Check();
  };
  ConstraintVerdict verdict = check(mode);
  if (verdict && mode == Mode::kTorch) verdict.finding = check(Mode::kStrict).reason;
  return verdict;
}

}  // namespace qconform
