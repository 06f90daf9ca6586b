#include "reference/quantizers/inductor_quantizer.h"

#include <algorithm>

#include "reference/config/class_module.h"
#include "reference/ir/error.h"
#include "reference/quantizers/inductor_account.h"
#include "reference/quantizers/node_filter.h"

namespace qconform {
namespace {

// What Python prints of a class or function.
std::string PythonText(const std::string& type) {
  const std::string defined = DefinedName(type);
  if (defined != type) return "<class '" + defined + "'>";
  return type;
}

std::string Call(const std::string& call, const std::string& subject,
                 const QuantizationConfigPointer& config) {
  return call + "(" + subject + (config == nullptr ? ", None)" : ")");
}

bool IsDynamic(const QuantizationSpecPointer& spec) {
  return std::visit(
      [](const auto& kind) {
        if constexpr (requires { kind.is_dynamic; }) {
          return kind.is_dynamic;
        } else {
          return false;
        }
      },
      *spec);
}

// One node of the pattern whose target is in the set; torchao refuses two.
PatternFilter OneOf(std::function<bool(const std::string&)> wanted,
                    const std::string& what) {
  return [wanted = std::move(wanted), what](const ConstNodes& nodes) {
    const auto count = std::count_if(nodes.begin(), nodes.end(), [&](const Node* node) {
      return wanted(node->target());
    });
    if (count > 1) {
      throw PipelineError("NotImplementedError", "several nodes of one pattern are " +
                                                     what + ": " + nodes[0]->name() +
                                                     ", " + nodes[1]->name());
    }
    return count == 1;
  };
}

}  // namespace

InductorQuantizer::InductorQuantizer(InductorTarget target, Mode mode)
    : AccountingQuantizer(mode), target_(target) {}

// (_need_skip_config)
bool InductorQuantizer::Refuse(const QuantizationConfigPointer& config) {
  if (config == nullptr) return false;
  std::optional<bool> is_qat;
  std::optional<bool> is_dynamic;
  const auto look = [&](const QuantizationConfigPointer& present) {
    if (present == nullptr) return;
    if (!is_qat) is_qat = present->is_qat;
    if (present->input_activation != nullptr && !is_dynamic) {
      is_dynamic = IsDynamic(present->input_activation);
    }
  };
  for (const auto& [name, setting] : module_names_) look(setting.config);
  for (const auto& [type, setting] : operator_types_) look(setting.config);
  if (global_) look(global_->config);
  bool refused = false;
  if (is_qat && *is_qat != config->is_qat) {
    warnings_.push_back("Mixed QAT and Non-QAT quantization config is not supported.");
    refused = true;
  }
  if (is_dynamic && config->input_activation != nullptr &&
      *is_dynamic != IsDynamic(config->input_activation)) {
    warnings_.push_back("Mixed dynamic and static quantization config is not supported.");
    refused = true;
  }
  return refused;
}

void InductorQuantizer::Ignore(const std::string& setting, const std::string& reason) {
  ignored_.emplace_back();
  ignored_.back().setting = setting;
  ignored_.back().reason = reason;
}

bool InductorQuantizer::RefuseNamed(const std::string& name, const std::string& setting,
                                    const QuantizationConfigPointer& config) {
  if (!Refuse(config)) return false;
  Ignore(setting, warnings_.back());
  warnings_.push_back("Skip the quantization config for " + name + ".");
  return true;
}

InductorQuantizer& InductorQuantizer::SetGlobal(QuantizationConfigPointer config) {
  const std::string text = config == nullptr ? "set_global(None)" : "set_global";
  if (Refuse(config)) {
    Ignore(text, warnings_.back());
    warnings_.push_back("Skip the global quantization config.");
    return *this;
  }
  if (config == nullptr) Ignore(text, "without a global config nothing is global");
  global_ = Setting{text, std::move(config)};
  return *this;
}

InductorQuantizer& InductorQuantizer::SetModuleName(const std::string& name,
                                                    QuantizationConfigPointer config) {
  const std::string text = Call("set_module_name_qconfig", "'" + name + "'", config);
  if (!RefuseNamed(name, text, config)) {
    module_names_.Set(name, {text, std::move(config)});
  }
  return *this;
}

void InductorQuantizer::SetType(const std::string& kind, const std::string& call,
                                const std::string& type,
                                QuantizationConfigPointer config) {
  const std::string text = Call(call, type, config);
  if (RefuseNamed(PythonText(type), text, config)) return;
  const auto found = operators().operator_of_type.find(type);
  if (found == operators().operator_of_type.end()) {
    warnings_.push_back(kind + ": Unable to customize quantization config for " +
                        PythonText(type) + " by " + Name() + ".");
    Ignore(text, Name() + " has no operator for " + type);
    return;
  }
  operator_types_.Set(found->second, {text, std::move(config)});
}

InductorQuantizer& InductorQuantizer::SetModuleType(const std::string& type,
                                                    QuantizationConfigPointer config) {
  SetType("Module", "set_module_type_qconfig", type, std::move(config));
  return *this;
}

InductorQuantizer& InductorQuantizer::SetFunctionType(const std::string& function,
                                                      QuantizationConfigPointer config) {
  SetType("function", "set_function_type_qconfig", function, std::move(config));
  return *this;
}

InductorQuantizer& InductorQuantizer::SetOperator(const std::string& target,
                                                  QuantizationConfigPointer config) {
  const std::string text = Call("_set_aten_operator_qconfig", target, config);
  if (operators().quantizable.contains(target)) {
    operator_types_.Set(target, {text, std::move(config)});
  } else {
    warnings_.push_back("operator: Unable to quantize " + target + " by " + Name() + ".");
    Ignore(text, Name() + " does not quantize " + target);
  }
  return *this;
}

std::vector<std::string> InductorQuantizer::Warnings() const {
  std::vector<std::string> all = warnings_;
  all.insert(all.end(), annotate_warnings_.begin(), annotate_warnings_.end());
  return all;
}

// (_annotate_with_config)
void InductorQuantizer::AnnotateSetting(InductorPass& pass) const {
  // Without QAT batch norms are folded, so that only None can meet one.
  if (pass.config == nullptr || pass.config->is_qat) AnnotateQatConvs(pass, target_);
  AnnotateConvs(pass, target_);
  AnnotateLinears(pass, target_);
  AnnotateMatmuls(pass);
  if (target_ == InductorTarget::kArm) return;
  AnnotateMultiplications(pass);
  AnnotatePropagated(pass);
}

void InductorQuantizer::Annotate(const ExportedProgram& program,
                                 Annotations& annotations) {
  const SourceIndex index(
      program, mode() == Mode::kTorch ? PartitionBy::kOrigin : PartitionBy::kOperator);
  struct Step {
    Setting setting;
    PatternFilter filter;
    std::string why;
  };
  std::vector<Step> steps;
  for (const auto& [name, setting] : module_names_) {
    const auto inside = InModuleOfName(program, name);
    steps.push_back({setting,
                     [inside](const ConstNodes& nodes) {
                       return std::all_of(nodes.begin(), nodes.end(),
                                          [&](const Node* n) { return inside(*n); });
                     },
                     WhyNoModuleOfName(program, name)});
  }
  for (const auto& [target, setting] : operator_types_) {
    const std::string wanted = target;
    steps.push_back(
        {setting, OneOf([wanted](const std::string& t) { return t == wanted; }, target),
         WhyNoCall(program, target)});
  }
  if (global_ && global_->config != nullptr) {
    const auto& known = operators().quantized_by_default;
    steps.push_back({*global_,
                     OneOf([&known](const std::string& t) { return known.contains(t); },
                           "operators that are quantized by default"),
                     ""});
  }

  SettingLedger ledger;
  std::vector<std::string> texts;
  for (const Step& step : steps) texts.push_back(step.setting.text);
  ledger.Begin(texts);
  annotate_warnings_.clear();
  for (size_t i = 0; i < steps.size(); ++i) {
    ledger.Enter(i);
    InductorPass pass = {
        program,        index,  operators(),        mode(),
        annotations,    ledger, annotate_warnings_, steps[i].setting.config,
        steps[i].filter};
    AnnotateSetting(pass);
    ExplainInductorSetting(pass, i, steps[i].why);
  }
  if (target_ == InductorTarget::kX86) {
    AnnotatePropagatedOutputs(operators(), mode(), program, annotations);
  }
  accounts_ = ledger.Finish();
  accounts_.insert(accounts_.end(), ignored_.begin(), ignored_.end());
}

}  // namespace qconform
