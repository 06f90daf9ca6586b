#include "conformance/cases/golden_cases.h"

#include <algorithm>

#include "conformance/cases/golden_end_to_end.h"
#include "conformance/host/program_runner.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

// Ids hold none of `: - * ?`, and a slash has its meaning.
std::string Word(const std::string& text) {
  std::string word = text;
  for (char& c : word)
    if (c == ':' || c == '-' || c == '*' || c == '?' || c == '/' || c == ' ') c = '_';
  return word;
}

// "conv2d.u8s8u8.per_channel.relu"
std::string WhatOf(const Program& program, const ProgramOperator& step) {
  std::string what = OperatorName(step.kind, step.attributes) + ".";
  const auto append = [&](int index) {
    if (auto dtype = AbiDTypeOf(program.values[static_cast<size_t>(index)].dtype))
      what += AbiDTypeName(*dtype);
  };
  const bool weighted =
      step.kind == QC_CONV || step.kind == QC_CONV_TRANSPOSE || step.kind == QC_LINEAR;
  const size_t shown = weighted ? 2 : step.inputs.size();
  for (size_t i = 0; i < std::min(shown, step.inputs.size()); ++i)
    if (step.inputs[i] >= 0) append(step.inputs[i]);
  if (!step.outputs.empty()) append(step.outputs[0]);
  if (weighted && step.inputs.size() > 1 && step.inputs[1] >= 0) {
    const auto& quantization =
        program.values[static_cast<size_t>(step.inputs[1])].quantization;
    what += quantization && quantization->axis >= 0 ? ".per_channel" : ".per_tensor";
  }
  if (step.attributes.activation == QC_ACTIVATION_RELU) what += ".relu";
  return what;
}

std::string GroupOf(const Golden& golden, const ProgramOperator& step) {
  return GoldenName(golden) + "/" + WhatOf(golden.program, step);
}

std::string IdOf(const Golden& golden, const ProgramOperator& step) {
  return GroupOf(golden, step) + "/" + Word(step.node) + "/real";
}

ConformanceCase BuildOperatorCase(const Golden& golden, const ProgramOperator& step) {
  ConformanceCase result;
  std::vector<const Tensor*> inputs;
  for (const int index : step.inputs)
    inputs.push_back(index < 0 ? nullptr : &GoldenValue(golden, index));
  result.suite = GoldenName(golden);
  result.fill = "real";
  result.call = CallOf(golden.program, step, inputs);
  for (const int index : step.outputs) {
    const Tensor& want = GoldenValue(golden, index);
    result.want.emplace_back(want.bytes(), want.bytes() + want.byte_size());
  }
  return result;
}

}  // namespace

std::string GoldenName(const Golden& golden) {
  const GoldenSource& source = golden.manifest.source;
  std::string name = Word(source.model) + "." + Word(source.config);
  if (source.mode != "torch") name += "." + Word(source.mode);
  return name;
}

const Tensor& GoldenValue(const Golden& golden, int index) {
  const ProgramValue& value = golden.program.values[static_cast<size_t>(index)];
  if (value.constant) return *value.constant;
  const Tensor* tensor = golden.values.Find(value.name);
  if (tensor == nullptr) {
    throw InputError(GoldenName(golden), "no tensor of the value '" + value.name + "'",
                     "one a value of the program");
  }
  return *tensor;
}

std::optional<ConformanceCase> GoldenOperatorCase(const Golden& golden,
                                                  const std::string& id) {
  for (const ProgramStep& step : golden.program.steps) {
    const auto* op = std::get_if<ProgramOperator>(&step);
    if (op == nullptr || IdOf(golden, *op) != id) continue;
    ConformanceCase c = BuildOperatorCase(golden, *op);
    c.id = id;
    c.group = GroupOf(golden, *op);
    return c;
  }
  return std::nullopt;
}

std::vector<CaseSource> GoldenCases(std::shared_ptr<const Golden> golden) {
  std::vector<CaseSource> sources;
  const std::string name = GoldenName(*golden);
  for (const ProgramStep& step : golden->program.steps) {
    const auto* op = std::get_if<ProgramOperator>(&step);
    if (op == nullptr) continue;
    sources.push_back(
        {IdOf(*golden, *op), GroupOf(*golden, *op), [golden, op](const Subject& subject) {
           return RunOperatorCase(BuildOperatorCase(*golden, *op), subject);
         }});
  }
  sources.push_back(
      {name + "/program/end_to_end/real", name + "/program",
       [golden](const Subject& subject) { return RunEndToEnd(*golden, subject); }});
  return sources;
}

}  // namespace qconform
