#include <fmt/format.h>

#include "reference/lint/config_rules.h"

namespace qconform {
namespace {

struct Side {
  const char* name;  // "input"
  const char* key;   // "input_dtype"
  DTypeWithConstraints DTypeConfig::*field;
};

constexpr Side kSides[] = {{"input", "input_dtype", &DTypeConfig::input_dtype},
                           {"output", "output_dtype", &DTypeConfig::output_dtype},
                           {"weight", "weight_dtype", &DTypeConfig::weight_dtype}};

bool HasTorchConstraints(const DTypeWithConstraints& bounds) {
  return bounds.quant_min_lower_bound || bounds.quant_max_upper_bound ||
         bounds.scale_min_lower_bound || bounds.scale_max_upper_bound ||
         bounds.scale_exact_match || bounds.zero_point_exact_match;
}

bool HasCodes(DType dtype) {
  return IsQuantizedDType(dtype) || (!IsFloatingDType(dtype) && dtype != DType::kBool);
}

// One side of one dtype config.
class SideRules {
 public:
  SideRules(ConfigRows& rows, const ConfigRow& row, const ordered_json& json,
            const Side& side, const DTypeWithConstraints& bounds)
      : rows_(rows),
        row_(row),
        json_(ConfigRows::At(json, {side.key})),
        subject_(row.key.HumanText() + " " + side.name),
        bounds_(bounds) {}

  void Run(bool is_module_weight) {
    if (!HasTorchConstraints(bounds_)) return;
    if (!bounds_.dtype) {
      Add(LintSeverity::kWarning, "constraint_without_dtype", "",
          "constraints without a dtype are never read and are lost when written");
      return;
    }
    Range();
    Scale();
    Exact();
    if (is_module_weight) {
      Add(LintSeverity::kWarning, "module_weight_constraint", "",
          "torch holds only weights of functions against weight constraints, this "
          "pattern's weight belongs to a module → always satisfied",
          "enforced");
    }
  }

 private:
  void Add(LintSeverity severity, const char* kind, const char* key, std::string text,
           std::string strict = "") {
    rows_.Add(severity, kind, row_, ConfigRows::At(json_, {key}), subject_,
              std::move(text), std::move(strict));
  }

  void Range() {
    const auto& low = bounds_.quant_min_lower_bound;
    const auto& high = bounds_.quant_max_upper_bound;
    if (low.has_value() != high.has_value()) {
      const char* given = low ? "quant_min_lower_bound" : "quant_max_upper_bound";
      Add(LintSeverity::kError, "one_sided_bound", given,
          fmt::format("{} {} without {}: torch ignores one-sided bounds → always "
                      "satisfied",
                      given, low ? *low : *high,
                      low ? "quant_max_upper_bound" : "quant_min_lower_bound"),
          "enforced");
    }
    if (low && high && *low > *high) {
      Add(LintSeverity::kError, "empty_range", "quant_min_lower_bound",
          fmt::format("quant_min_lower_bound {} is above quant_max_upper_bound {}: no "
                      "observer satisfies both",
                      *low, *high));
    }
    if (!HasCodes(*bounds_.dtype)) return;
    const IntegerRange codes = CodeRange(*bounds_.dtype);
    if (low && *low < codes.min) {
      Add(LintSeverity::kWarning, "bound_never_binds", "quant_min_lower_bound",
          fmt::format("quant_min_lower_bound {} is below the least code {} of {}", *low,
                      codes.min, DTypeName(*bounds_.dtype)));
    }
    if (high && *high > codes.max) {
      Add(LintSeverity::kWarning, "bound_never_binds", "quant_max_upper_bound",
          fmt::format("quant_max_upper_bound {} is above the greatest code {} of {}",
                      *high, codes.max, DTypeName(*bounds_.dtype)));
    }
    if (bounds_.zero_point_exact_match && (*bounds_.zero_point_exact_match < codes.min ||
                                           *bounds_.zero_point_exact_match > codes.max)) {
      Add(LintSeverity::kError, "zero_point_out_of_range", "zero_point_exact_match",
          fmt::format("zero_point_exact_match {} is no code of {} ({} to {})",
                      *bounds_.zero_point_exact_match, DTypeName(*bounds_.dtype),
                      codes.min, codes.max));
    }
  }

  void Scale() {
    const auto& low = bounds_.scale_min_lower_bound;
    const auto& high = bounds_.scale_max_upper_bound;
    if (high) {
      Add(LintSeverity::kWarning, "unread_bound", "scale_max_upper_bound",
          fmt::format("scale_max_upper_bound {}: torch never reads it → always satisfied",
                      *high),
          "enforced, in convert where data decides the scale");
    }
    if (low && high && *low > *high) {
      Add(LintSeverity::kError, "empty_range", "scale_min_lower_bound",
          fmt::format("scale_min_lower_bound {} is above scale_max_upper_bound {}: no "
                      "scale lies between",
                      *low, *high));
    }
    // NaN is not above zero either.
    if (low && !(*low > 0)) {
      Add(LintSeverity::kWarning, "bound_never_binds", "scale_min_lower_bound",
          fmt::format("scale_min_lower_bound {}: every scale is above zero", *low));
    }
  }

  void Exact() {
    const bool scale = bounds_.scale_exact_match.has_value();
    const bool zero_point = bounds_.zero_point_exact_match.has_value();
    if (scale != zero_point) {
      const char* given = scale ? "scale_exact_match" : "zero_point_exact_match";
      Add(LintSeverity::kError, "lone_exact_match", given,
          fmt::format("{} without {}: torch reads them only together → always satisfied",
                      given, scale ? "zero_point_exact_match" : "scale_exact_match"),
          "enforced");
    }
    if ((scale || zero_point) &&
        (bounds_.scale_min_lower_bound || bounds_.scale_max_upper_bound)) {
      Add(LintSeverity::kError, "fixed_qparams_and_scale_bounds",
          scale ? "scale_exact_match" : "zero_point_exact_match",
          "a fixed scale beside scale bounds: the bound wants an observer with eps, the "
          "fixed scale one of FixedQParams, which has none; no observer satisfies both");
    }
  }

  ConfigRows& rows_;
  const ConfigRow& row_;
  const ordered_json& json_;
  const std::string subject_;
  const DTypeWithConstraints& bounds_;
};

}  // namespace

void LintConstraints(ConfigRows& rows) {
  for (const ConfigRow& row : rows.rows()) {
    const bool is_module = RootAtom(row.key).kind() == Pattern::Kind::kModule;
    for (size_t i = 0; i < row.config.dtype_configs.size(); ++i) {
      const ordered_json& json = (*row.json)["dtype_configs"][i];
      for (const Side& side : kSides) {
        const bool is_weight = side.field == &DTypeConfig::weight_dtype;
        SideRules(rows, row, json, side, row.config.dtype_configs[i].*side.field)
            .Run(is_weight && is_module);
      }
    }
  }
}

}  // namespace qconform
