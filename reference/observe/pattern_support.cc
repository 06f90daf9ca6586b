#include "reference/observe/pattern_support.h"

#include <fmt/format.h>

#include <utility>

#include "reference/observe/weight_constructor.h"
#include "reference/qconfig/constraint_check.h"
#include "reference/qconfig/observer_settings.h"

namespace qconform {
namespace {

// The checks of one dtype config in torch's order, until one fails.
class DTypeConfigCheck {
 public:
  DTypeConfigCheck(const QuantizationMatch& match, const QConfigPointer& qconfig,
                   const DTypeConfig& config, const NodeTargets& targets,
                   SettingsTable& settings, Mode mode)
      : match_(match),
        qconfig_(qconfig),
        config_(config),
        targets_(targets),
        settings_(settings),
        mode_(mode) {
    if (qconfig == nullptr || !qconfig->weight) return;
    // The axis that a transposed convolution's weight gets in strict mode; torch looks at
    // no axis.
    const Node& root = *match.root;
    const std::string& type =
        root.op() == Op::kCallModule ? match.entry->config.root_module : root.target();
    if (!IsTransposedConvolution(type)) return;
    weight_qconfig_ = std::make_shared<QConfig>(QConfig{
        qconfig->activation, WeightConstructor(*qconfig->weight, type, Mode::kStrict)});
  }

  bool Run() {
    const Node& root = *match_.root;
    for (const Argument& argument : root.args()) {
      if (!CheckArgument(argument)) return false;
    }
    for (const auto& [name, argument] : root.kwargs()) {
      if (!CheckArgument(argument)) return false;
    }
    if (root.op() == Op::kCallModule && !CheckModuleWeight()) return false;
    return CheckOutput();
  }

  int passed() const { return passed_; }
  const SupportVerdict& refusal() const { return refusal_; }
  std::vector<std::string> TakeFindings() { return std::move(findings_); }

 private:
  bool Refuse(const std::string& constraint, const std::string& reason) {
    refusal_ = {false, constraint, reason};
    return false;
  }

  bool CheckDType(const std::string& name, std::optional<DType> wanted,
                  std::optional<DType> allowed) {
    if (wanted == allowed) {
      ++passed_;
      return true;
    }
    return Refuse(name, DTypeText(name, wanted, allowed));
  }

  static std::string DTypeText(const std::string& name, std::optional<DType> wanted,
                               std::optional<DType> allowed) {
    const auto text = [](std::optional<DType> dtype) {
      return dtype ? std::string(DTypeName(*dtype)) : std::string("no tensor");
    };
    return fmt::format("{}: the qconfig has {}, the backend allows {}", name,
                       text(wanted), text(allowed));
  }

  bool CheckConstraints(const std::string& name, const DTypeWithConstraints& constraints,
                        bool is_activation) {
    const QConfigPointer& qconfig = is_activation ? qconfig_ : weight_qconfig_;
    // A qconfig made for this node alone is gone before the next.
    const ConstraintVerdict verdict =
        qconfig == qconfig_
            ? settings_.Satisfies(qconfig, constraints, is_activation, mode_)
            : SatisfiesConstraints(qconfig, constraints, is_activation, mode_);
    if (verdict) {
      if (!verdict.finding.empty()) findings_.push_back(name + ": " + verdict.finding);
      ++passed_;
      return true;
    }
    settings_.AddRefusal(verdict, mode_);
    return Refuse(verdict.constraint, name + ": " + verdict.reason);
  }

  bool CheckArgument(const Argument& argument) {
    if (const Sequence* sequence = argument.As<Sequence>()) {
      for (const Argument& item : sequence->items) {
        if (!CheckArgument(item)) return false;
      }
      return true;
    }
    const Node* node = argument.AsNode();
    if (node == nullptr) return true;
    const NodeTarget& target = targets_.at(match_.root);
    if (IsWeightArgument(*match_.root, target, node)) {
      if (!config_.weight_dtype.dtype) return true;
      return CheckDType("weight_dtype", settings_.DTypeOf(target.weight),
                        config_.weight_dtype.dtype) &&
             CheckConstraints("weight", config_.weight_dtype, false);
    }
    if (IsBiasArgument(*match_.root, target, node)) {
      if (!config_.unchecked_bias.empty()) {
        return Refuse("bias_dtype", "bias_dtype: the backend allows '" +
                                        config_.unchecked_bias + "', which is no dtype");
      }
      return !config_.bias_dtype ||
             CheckDType("bias_dtype", settings_.DTypeOf(target.bias), config_.bias_dtype);
    }
    if (!config_.input_dtype.dtype) return true;
    if (!CheckDType("input_dtype", settings_.DTypeOf(target.input),
                    config_.input_dtype.dtype)) {
      return false;
    }
    const bool is_dynamic = settings_.IsDynamic(target.input);
    if (is_dynamic != config_.IsDynamic()) {
      return Refuse("is_dynamic",
                    fmt::format("is_dynamic: the qconfig has {}, the backend allows {}",
                                is_dynamic, config_.IsDynamic()));
    }
    return CheckConstraints("input", config_.input_dtype, true);
  }

  // torch does not look at it; convert then leaves a weight of another dtype float.
  bool CheckModuleWeight() {
    // torch's rows of sigmoid and its like declare a weight dtype, too.
    const bool has_weight = !match_.entry->config.root_module.empty();
    if (!has_weight || !config_.weight_dtype.dtype || qconfig_ == nullptr ||
        !qconfig_->weight) {
      return true;
    }
    const std::optional<DType> wanted = settings_.DTypeOf(&*qconfig_->weight);
    if (mode_ == Mode::kStrict) {
      return CheckDType("weight_dtype", wanted, config_.weight_dtype.dtype) &&
             CheckConstraints("weight", config_.weight_dtype, false);
    }
    if (!wanted) return true;
    if (wanted != config_.weight_dtype.dtype) {
      findings_.push_back(DTypeText("weight_dtype", wanted, config_.weight_dtype.dtype));
      return true;
    }
    const bool bounded =
        config_.weight_dtype != DTypeWithConstraints(*config_.weight_dtype.dtype);
    if (!bounded) return true;
    const ConstraintVerdict strict =
        SatisfiesConstraints(weight_qconfig_, config_.weight_dtype, false, Mode::kStrict);
    if (!strict) findings_.push_back("weight: " + strict.reason);
    return true;
  }

  bool CheckOutput() {
    if (!config_.output_dtype.dtype) return true;
    const NodeTarget& target = targets_.at(match_.last);
    std::optional<DType> dtype = settings_.DTypeOf(target.output);
    // A dynamically quantized operator computes a float output.
    if (settings_.IsDynamic(target.output)) dtype = DType::kFloat32;
    return CheckDType("output_dtype", dtype, config_.output_dtype.dtype) &&
           CheckConstraints("output", config_.output_dtype, true);
  }

  const QuantizationMatch& match_;
  const QConfigPointer& qconfig_;
  QConfigPointer weight_qconfig_ = qconfig_;
  const DTypeConfig& config_;
  const NodeTargets& targets_;
  SettingsTable& settings_;
  const Mode mode_;
  int passed_ = 0;
  SupportVerdict refusal_;
  std::vector<std::string> findings_;
};

}  // namespace

SupportVerdict CheckPatternSupport(const QuantizationMatch& match,
                                   const QConfigPointer& qconfig,
                                   const NodeTargets& targets, SettingsTable& settings,
                                   Mode mode) {
  if (match.entry == nullptr) return {};
  SupportVerdict verdict{false, "dtype_configs",
                         "dtype_configs: the backend declares none for this pattern"};
  int furthest = -1;
  for (const DTypeConfig& config : match.entry->config.dtype_configs) {
    DTypeConfigCheck check(match, qconfig, config, targets, settings, mode);
    if (check.Run()) {
      std::vector<std::string> findings = check.TakeFindings();
      // Only torch mode has findings. Strict mode may take another of the dtype configs.
      if (!findings.empty() && mode == Mode::kTorch &&
          CheckPatternSupport(match, qconfig, targets, settings, Mode::kStrict)
              .supported) {
        findings.clear();
      }
      return {true, "", "", std::move(findings), &config};
    }
    if (check.passed() > furthest) {
      furthest = check.passed();
      verdict = check.refusal();
    }
  }
  return verdict;
}

}  // namespace qconform
