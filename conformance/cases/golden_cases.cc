#include "conformance/cases/golden_cases.h"

#include <fmt/format.h>

#include <cstring>

#include "conformance/compare/exact.h"
#include "conformance/host/program_runner.h"
#include "conformance/verdict/judge.h"
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

const Tensor& ValueOf(const Golden& golden, int index) {
  const ProgramValue& value = golden.program.values[static_cast<size_t>(index)];
  if (value.constant) return *value.constant;
  const Tensor* tensor = golden.values.Find(value.name);
  if (tensor == nullptr) {
    throw InputError(GoldenName(golden), "no tensor of the value '" + value.name + "'",
                     "one a value of the program");
  }
  return *tensor;
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

ConformanceCase BuildOperatorCase(const Golden& golden, const ProgramOperator& step) {
  ConformanceCase result;
  std::vector<const Tensor*> inputs;
  for (const int index : step.inputs)
    inputs.push_back(index < 0 ? nullptr : &ValueOf(golden, index));
  result.suite = GoldenName(golden);
  result.fill = "real";
  result.call = CallOf(golden.program, step, inputs);
  for (const int index : step.outputs) {
    const Tensor& want = ValueOf(golden, index);
    result.want.emplace_back(want.bytes(), want.bytes() + want.byte_size());
  }
  return result;
}

// The first value, in execution order, that differs from what the same arithmetic gives.
void CompareValues(const Golden& golden, const ProgramRun& run,
                   const std::vector<Tensor>& want, CaseRecord& record) {
  for (const ProgramStep& step : golden.program.steps) {
    const auto* op = std::get_if<ProgramOperator>(&step);
    const auto& outputs =
        op != nullptr ? op->outputs : std::get<FloatIsland>(step).outputs;
    const std::string node =
        op != nullptr ? op->node
                      : fmt::format("island of {}",
                                    fmt::join(std::get<FloatIsland>(step).nodes, ", "));
    for (const int index : outputs) {
      const auto at = static_cast<size_t>(index);
      record.elements += want[at].numel();
      if (run.values[at].byte_size() == want[at].byte_size() &&
          std::memcmp(run.values[at].bytes(), want[at].bytes(), want[at].byte_size()) ==
              0)
        continue;
      int64_t wrong = 0;
      int64_t first = 0;
      for (int64_t i = want[at].numel(); i-- > 0;) {
        if (run.values[at].ValueAt(i) == want[at].ValueAt(i)) continue;
        ++wrong;
        first = i;
      }
      record.wrong_elements += wrong;
      if (record.verdict == Verdict::kFail) continue;
      record.verdict = Verdict::kFail;
      record.cause = "first diverging node";
      record.details.push_back(fmt::format(
          "node {} is the first that differs: element {} got {} want {}, {} of {} differ",
          node, first, run.values[at].ValueAt(first), want[at].ValueAt(first), wrong,
          want[at].numel()));
    }
  }
}

CaseRecord RunEndToEnd(const Golden& golden, const Subject& subject) {
  CaseRecord record;
  record.suite = GoldenName(golden);
  record.kind = "program";
  record.fill = "real";
  record.backend = subject.identity;
  record.verdict = Verdict::kPass;
  std::vector<Tensor> inputs;
  for (const int index : golden.program.inputs) inputs.push_back(ValueOf(golden, index));
  const ProgramRun run =
      RunProgramOnBackend(golden.program, inputs, subject.worker, subject.config);
  record.backend_operators = run.backend_operators;
  record.reference_operators = run.reference_operators;
  record.float_islands = run.float_islands;
  if (!run.failed_node.empty()) {
    ConformanceCase nothing;
    nothing.suite = record.suite;
    nothing.fill = record.fill;
    CaseRecord failed = Judge(nothing, "", run.failure, subject.identity);
    failed.kind = record.kind;
    failed.details.insert(failed.details.begin(), "in node " + run.failed_node);
    return failed;
  }
  if (run.backend_operators == 0) {
    record.verdict = Verdict::kRefused;
    record.reason = "the backend runs none of its operators";
    return record;
  }
  bool own_schemes = true;
  for (const ProgramStep& step : golden.program.steps) {
    const auto* op = std::get_if<ProgramOperator>(&step);
    if (op == nullptr) continue;
    auto found = run.schemes.find(op->node);
    own_schemes &= found == run.schemes.end() || found->second == op->scheme;
  }
  std::vector<Tensor> want;
  if (own_schemes) {
    for (size_t i = 0; i < golden.program.values.size(); ++i)
      want.push_back(ValueOf(golden, static_cast<int>(i)));
  } else {
    want = ReferenceProgramValues(golden.program, inputs, run.schemes);
    record.verdict = Verdict::kPassScheme;
    record.scheme_compared = "the schemes that the backend declares";
  }
  CompareValues(golden, run, want, record);
  record.details.push_back(
      fmt::format("{} operators by the backend, {} by the reference, {} float islands",
                  run.backend_operators, run.reference_operators, run.float_islands));
  return record;
}

}  // namespace

std::string GoldenName(const Golden& golden) {
  const GoldenSource& source = golden.manifest.source;
  std::string name = Word(source.model) + "." + Word(source.config);
  if (source.mode != "torch") name += "." + Word(source.mode);
  return name;
}

std::vector<CaseSource> GoldenCases(std::shared_ptr<const Golden> golden) {
  std::vector<CaseSource> sources;
  const std::string name = GoldenName(*golden);
  for (const ProgramStep& step : golden->program.steps) {
    const auto* op = std::get_if<ProgramOperator>(&step);
    if (op == nullptr) continue;
    const std::string group = name + "/" + WhatOf(golden->program, *op);
    sources.push_back({group + "/" + Word(op->node) + "/real", group,
                       [golden, op](const Subject& subject) {
                         return RunOperatorCase(BuildOperatorCase(*golden, *op), subject);
                       }});
  }
  sources.push_back(
      {name + "/program/end_to_end/real", name + "/program",
       [golden](const Subject& subject) { return RunEndToEnd(*golden, subject); }});
  return sources;
}

}  // namespace qconform
