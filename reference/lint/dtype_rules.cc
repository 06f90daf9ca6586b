#include <fmt/format.h>

#include <algorithm>

#include "reference/lint/config_rules.h"
#include "reference/observe/node_target.h"

namespace qconform {
namespace {

std::string Name(std::optional<DType> dtype) {
  return dtype ? std::string(DTypeName(*dtype)) : "any";
}

bool IsHalf(std::optional<DType> dtype) { return dtype == DType::kFloat16; }

// Whatever `later` allows `earlier` allows too.
template <typename T>
bool Allows(const std::optional<T>& earlier, const std::optional<T>& later) {
  return !earlier || earlier == later;
}

bool Allows(const DTypeWithConstraints& earlier, const DTypeWithConstraints& later) {
  // Constraints of no dtype are not read.
  if (!earlier.dtype) return true;
  return earlier.dtype == later.dtype &&
         Allows(earlier.quant_min_lower_bound, later.quant_min_lower_bound) &&
         Allows(earlier.quant_max_upper_bound, later.quant_max_upper_bound) &&
         Allows(earlier.scale_min_lower_bound, later.scale_min_lower_bound) &&
         Allows(earlier.scale_max_upper_bound, later.scale_max_upper_bound) &&
         Allows(earlier.scale_exact_match, later.scale_exact_match) &&
         Allows(earlier.zero_point_exact_match, later.zero_point_exact_match) &&
         Allows(earlier.qscheme, later.qscheme) &&
         Allows(earlier.granularity, later.granularity) &&
         Allows(earlier.channel_axis, later.channel_axis);
}

bool Allows(const DTypeConfig& earlier, const DTypeConfig& later) {
  return earlier.IsDynamic() == later.IsDynamic() &&
         Allows(earlier.bias_dtype, later.bias_dtype) &&
         Allows(earlier.input_dtype, later.input_dtype) &&
         Allows(earlier.output_dtype, later.output_dtype) &&
         Allows(earlier.weight_dtype, later.weight_dtype);
}

class DTypeRules {
 public:
  DTypeRules(ConfigRows& rows, const ConfigRow& row, size_t index)
      : rows_(rows),
        row_(row),
        index_(index),
        json_((*row.json)["dtype_configs"][index]),
        config_(row.config.dtype_configs[index]),
        input_(config_.input_dtype.dtype),
        output_(config_.output_dtype.dtype),
        weight_(config_.weight_dtype.dtype) {}

  void Run() {
    Combination();
    Bias();
    Observed();
    for (size_t i = 0; i < index_; ++i) {
      if (!Allows(row_.config.dtype_configs[i], config_)) continue;
      Add(LintSeverity::kWarning, "unreachable_dtype_config", "",
          fmt::format("dtype config {} decides nothing: dtype config {} comes first and "
                      "allows all that it allows",
                      index_ + 1, i + 1));
      break;
    }
  }

 private:
  void Add(LintSeverity severity, const char* kind, const char* key, std::string text) {
    rows_.Add(severity, kind, row_, ConfigRows::At(json_, {key}), row_.key.HumanText(),
              std::move(text));
  }

  // Input and output have one activation observer; dynamic ones compute float.
  void Combination() {
    if (config_.IsDynamic()) {
      if (output_ && output_ != DType::kFloat32) {
        Add(LintSeverity::kError, "dynamic_output", "output_dtype",
            fmt::format("is_dynamic with output {}: a dynamically quantized operator "
                        "computes float32, so nothing satisfies this",
                        Name(output_)));
      }
      return;
    }
    if (input_ && output_ && input_ != output_) {
      Add(LintSeverity::kError, "input_output_differ", "output_dtype",
          fmt::format("input {} and output {}: both get the qconfig's one activation "
                      "dtype, so nothing satisfies this{}",
                      Name(input_), Name(output_),
                      output_ == DType::kFloat32 ? "; is_dynamic true was meant?" : ""));
    }
  }

  void Bias() {
    const std::optional<DType> bias = config_.bias_dtype;
    const bool is_static_half = IsHalf(input_) && IsHalf(weight_) && !config_.IsDynamic();
    if (is_static_half && !IsHalf(bias)) {
      Add(LintSeverity::kError, "float16_bias", bias ? "bias_dtype" : "",
          fmt::format("bias {} beside float16 input and weight: torch wants a float16 "
                      "bias there, so nothing satisfies this",
                      bias ? Name(bias) : "unset (float32)"));
      return;
    }
    if (!bias || bias == DType::kFloat32 || (is_static_half && IsHalf(bias))) return;
    if (IsHalf(bias)) {
      Add(LintSeverity::kError, "float16_bias", "bias_dtype",
          fmt::format("bias float16 with input {}{} and weight {}: torch gives a float16 "
                      "bias only to static float16 input and weight, so nothing "
                      "satisfies this",
                      config_.IsDynamic() ? "dynamic " : "", Name(input_),
                      Name(weight_)));
      return;
    }
    Add(LintSeverity::kError, "bias_dtype_never_matches", "bias_dtype",
        fmt::format("bias {}: torch's bias is float32 (or float16 when all is), so "
                    "nothing satisfies this",
                    Name(bias)));
  }

  void Observed() {
    const auto check = [this](std::optional<DType> dtype, const char* key) {
      if (!dtype || dtype == DType::kFloat32 || IsObservableDType(dtype)) return;
      Add(LintSeverity::kWarning, "dtype_never_observed", key,
          fmt::format("{} {}: torch inserts no observer of this dtype, the value stays "
                      "as it is",
                      key, Name(dtype)));
    };
    check(input_, "input_dtype");
    if (output_ != input_) check(output_, "output_dtype");
  }

  ConfigRows& rows_;
  const ConfigRow& row_;
  const size_t index_;
  const ordered_json& json_;
  const DTypeConfig& config_;
  const std::optional<DType> input_, output_, weight_;
};

}  // namespace

void LintDTypes(ConfigRows& rows) {
  for (const ConfigRow& row : rows.rows()) {
    for (size_t i = 0; i < row.config.dtype_configs.size(); ++i) {
      DTypeRules(rows, row, i).Run();
    }
  }
}

}  // namespace qconform
