#include "reference/quantizers/xnnpack_quantizer.h"

#include <algorithm>

#include "reference/ir/error.h"
#include "reference/quantizers/xnnpack_account.h"

namespace qconform {
namespace {

std::string Call(const std::string& call, const std::string& subject,
                 const QuantizationConfigPointer& config) {
  return call + "(" + subject + (config == nullptr ? ", None)" : ")");
}

bool SaysDynamic(const QuantizationSpecPointer& spec) {
  const auto* found = As<QuantizationSpec>(spec);
  return found != nullptr && found->is_dynamic;
}

// "aten.linear" is all overloads.
NodeFilter CallsOperator(const std::string& target) {
  return [target](const Node& node) {
    return node.op() == Op::kCallFunction &&
           (node.target() == target || node.target().starts_with(target + "."));
  };
}

void AnnotateStatic(XnnpackPass& pass) {
  if (pass.config->is_qat) {
    for (const bool transposed : {false, true}) {
      AnnotateXnnpackConvBn(pass, true, transposed);
      AnnotateXnnpackConvBn(pass, false, transposed);
    }
  }
  const std::vector<std::string> add = {"aten.add.Tensor", "aten.add_.Tensor"};
  const std::vector<std::string> mul = {"aten.mul.Tensor", "aten.mul_.Tensor"};
  AnnotateXnnpackLinearRelu(pass);
  AnnotateXnnpackLinear(pass);
  AnnotateXnnpackConvRelu(pass, false);
  AnnotateXnnpackConv(pass);
  AnnotateXnnpackConvRelu(pass, true);
  AnnotateXnnpackAdaptiveAvgPool(pass);
  AnnotateXnnpackGru(pass);
  AnnotateXnnpackBinary(pass, "add", add, true);
  AnnotateXnnpackBinary(pass, "add", add, false);
  AnnotateXnnpackBinary(pass, "mul", mul, true);
  AnnotateXnnpackBinary(pass, "mul", mul, false);
  AnnotateXnnpackCat(pass);
}

}  // namespace

XnnpackQuantizer& XnnpackQuantizer::SetGlobal(QuantizationConfigPointer config) {
  global_ =
      Setting{config == nullptr ? "set_global(None)" : "set_global", std::move(config)};
  return *this;
}

XnnpackQuantizer& XnnpackQuantizer::SetModuleName(const std::string& name,
                                                  QuantizationConfigPointer config) {
  if (config == nullptr && mode() == Mode::kTorch) {
    throw PipelineError("AssertionError", "set_module_name('" + name +
                                              "', None): None is not supported yet");
  }
  const std::string text = Call("set_module_name", "'" + name + "'", config);
  module_names_.Set(name, {text, std::move(config)});
  return *this;
}

XnnpackQuantizer& XnnpackQuantizer::SetModuleType(const std::string& type,
                                                  QuantizationConfigPointer config) {
  const std::string text = Call("set_module_type", type, config);
  module_types_.Set(type, {text, std::move(config)});
  return *this;
}

XnnpackQuantizer& XnnpackQuantizer::SetOperatorType(const std::string& target,
                                                    QuantizationConfigPointer config) {
  const std::string text = Call("set_operator_type", target, config);
  operator_types_.Set(target, {text, std::move(config)});
  return *this;
}

XnnpackQuantizer& XnnpackQuantizer::SetFilterFunction(ProgramFilter filter) {
  program_filter_ = std::move(filter);
  return *this;
}

std::vector<XnnpackQuantizer::Step> XnnpackQuantizer::Steps(
    const ExportedProgram& program) const {
  std::vector<Step> steps;
  std::vector<NodeFilter> named;
  for (const auto& [name, setting] : module_names_) {
    named.push_back(InModuleOfName(program, name));
    steps.push_back({setting, named.back(), nullptr, WhyNoModuleOfName(program, name)});
  }
  for (const auto& [type, setting] : module_types_) {
    named.push_back(InModuleOfType(program, type));
    steps.push_back({setting, named.back(), nullptr, WhyNoModuleOfType(program, type)});
  }
  std::vector<NodeFilter> taken = named;
  for (const auto& [target, setting] : operator_types_) {
    if (mode() == Mode::kStrict) {
      taken.push_back(CallsOperator(target));
      steps.push_back({setting, InNone(named), taken.back(),
                       WhyNoOperator(program, taken.back(), target)});
    }
  }
  if (global_) steps.push_back({*global_, InNone(std::move(taken)), nullptr, ""});
  if (!program_filter_) return steps;
  for (Step& step : steps) {
    step.filter = [inner = step.filter, &program, this](const Node& node) {
      return inner(node) &&
             (node.op() != Op::kCallFunction || program_filter_(program, node));
    };
  }
  return steps;
}

// torchao asks the global config for all of them.
bool XnnpackQuantizer::IsDynamic(const QuantizationConfigPointer& config) const {
  if (mode() == Mode::kStrict) {
    return config != nullptr && SaysDynamic(config->input_activation);
  }
  if (!global_ || global_->config == nullptr) return false;
  if (global_->config->input_activation == nullptr) {
    throw PipelineError("AttributeError",
                        "the global config has no input activation to ask whether it is "
                        "dynamic");
  }
  return SaysDynamic(global_->config->input_activation);
}

void XnnpackQuantizer::LeaveInFloat(XnnpackPass& pass) const {
  for (const Node& node : pass.program.module.graph.nodes()) {
    if (node.op() != Op::kCallFunction || !pass.filter(node)) continue;
    if (pass.main_filter && !pass.main_filter(node)) continue;
    if (pass.IsAnnotated(node)) {
      pass.ledger.Beaten(node);
    } else {
      pass.Annotate(node, {}, "float");
    }
  }
}

void XnnpackQuantizer::Annotate(const ExportedProgram& program,
                                Annotations& annotations) {
  const SourceIndex index(
      program, mode() == Mode::kTorch ? PartitionBy::kOrigin : PartitionBy::kOperator);
  const std::vector<Step> steps = Steps(program);
  std::vector<std::string> texts;
  for (const Step& step : steps) texts.push_back(step.setting.text);
  SettingLedger ledger;
  ledger.Begin(texts);
  for (size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    ledger.Enter(i);
    XnnpackPass pass = {program,     index,           mode(),
                        annotations, ledger,          step.setting.config,
                        step.filter, step.main_filter};
    const bool is_dynamic = IsDynamic(pass.config);
    if (pass.config == nullptr) {
      if (mode() == Mode::kStrict) LeaveInFloat(pass);
    } else if (is_dynamic) {
      AnnotateXnnpackLinear(pass);
    } else {
      AnnotateStatic(pass);
    }
    ExplainXnnpackSetting(pass, i, step.why, is_dynamic);
  }
  PropagateXnnpackAnnotations(program, annotations);
  accounts_ = ledger.Finish();
  if (mode() == Mode::kStrict) return;
  for (const auto& [target, setting] : operator_types_) {
    accounts_.emplace_back();
    accounts_.back().setting = setting.text;
    accounts_.back().reason = "operator types are stored and never read";
  }
}

}  // namespace qconform
