#include "conformance/cases/golden_end_to_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "conformance/cases/float_outputs.h"
#include "conformance/cases/golden_cases.h"
#include "conformance/compare/accuracy.h"
#include "conformance/host/program_runner.h"
#include "conformance/verdict/judge.h"
#include "conformance/verdict/levels.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

// Of a failing node's own lines so many are told.
constexpr size_t kLinesOfNode = 4;

Bytes BytesOf(const Tensor& tensor) {
  return {tensor.bytes(), tensor.bytes() + tensor.byte_size()};
}

// The operator on the values that its inputs had in this run, as a case.
CaseRecord JudgeNode(const Golden& golden, const ProgramOperator& step,
                     const ProgramRun& run, const Subject& subject) {
  std::vector<const Tensor*> inputs;
  for (const int index : step.inputs)
    inputs.push_back(index < 0 ? nullptr : &run.values[static_cast<size_t>(index)]);
  ConformanceCase c;
  c.call = CallOf(golden.program, step, inputs);
  // Nobody chose these data.
  c.literal = true;
  auto want = ReferenceOutputs(c.call, step.scheme);
  if (!want) {
    throw InputError(GoldenName(golden), "the reference does not compute " + step.node,
                     "a program that it does");
  }
  c.want = std::move(*want);
  CallOutcome outcome;
  outcome.reply.supported = true;
  outcome.reply.scheme = run.schemes.at(step.node);
  outcome.reply.runs.emplace_back();
  for (const int index : step.outputs)
    outcome.reply.runs[0].outputs.push_back(
        BytesOf(run.values[static_cast<size_t>(index)]));
  CaseRecord record = Judge(c, "", outcome, subject.identity);
  record.level = LevelOf(record);
  return record;
}

void JudgeNodes(const Golden& golden, const ProgramRun& run, const Subject& subject,
                CaseRecord& record) {
  record.verdict = Verdict::kPass;
  int64_t bounded = 0;
  for (const ProgramStep& step : golden.program.steps) {
    const auto* op = std::get_if<ProgramOperator>(&step);
    if (op == nullptr || !run.schemes.contains(op->node)) continue;
    const CaseRecord node = JudgeNode(golden, *op, run, subject);
    record.elements += node.elements;
    record.wrong_elements += node.wrong_elements;
    record.differing_elements += node.differing_elements;
    if (!node.bound.empty() && bounded++ == 0)
      record.bound = fmt::format("in node {}: {}", op->node, node.bound);
    if (node.verdict == Verdict::kPassScheme && record.verdict == Verdict::kPass) {
      record.verdict = Verdict::kPassScheme;
      record.scheme_compared = "the schemes that the backend declares";
    }
    if (IsPassed(node) || record.verdict == Verdict::kFail) continue;
    record.verdict = Verdict::kFail;
    record.cause = "first diverging node";
    const std::string line = node.details.empty() ? node.cause : node.details[0];
    record.details.push_back(fmt::format(
        "node {} is the first that leaves its allowed set: {}", op->node, line));
    for (size_t i = 1; i < std::min(node.details.size(), kLinesOfNode); ++i)
      record.details.push_back(node.details[i]);
  }
}

std::vector<double> RealValues(const ProgramValue& value, const Tensor& tensor) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    double real = tensor.ValueAt(i);
    // Outputs are codes per tensor, if they are codes.
    if (value.quantization && value.quantization->axis < 0)
      real = (real - value.quantization->zero_point[0]) * value.quantization->scale[0];
    values.push_back(real);
  }
  return values;
}

std::string Db(double sqnr) {
  if (std::isinf(sqnr) && sqnr > 0) return "no noise";
  return fmt::format("{:.1f} dB", sqnr);
}

// Of all outputs, one behind the other.
struct ModelOutputs {
  std::vector<double> got;
  std::vector<double> golden;
  std::vector<double> real;  // of the float model; empty: unknown
  Shape shape;               // of the only output; empty if there are more
};

ModelOutputs OutputsOf(const Golden& golden, const ProgramRun& run,
                       const std::vector<Tensor>& inputs) {
  ModelOutputs outputs;
  const auto append = [](std::vector<double>& to, const std::vector<double>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (const int index : golden.program.outputs) {
    const auto at = static_cast<size_t>(index);
    const ProgramValue& value = golden.program.values[at];
    append(outputs.got, RealValues(value, run.values[at]));
    const Tensor* own = golden.values.Find(value.name);
    append(outputs.golden, RealValues(value, own != nullptr ? *own : run.values[at]));
    if (golden.program.outputs.size() == 1) outputs.shape = value.shape;
  }
  if (const auto real = FloatOutputs(golden, inputs)) {
    for (const Tensor& tensor : *real) append(outputs.real, RealValues({}, tensor));
    if (outputs.real.size() != outputs.got.size()) outputs.real.clear();
  }
  return outputs;
}

void Put(const char* name, double number, CaseRecord& record) {
  if (std::isfinite(number)) record.accuracy[name] = number;
}

std::string TopOneText(const ModelOutputs& outputs, CaseRecord& record) {
  const auto put = [&](const char* name, const std::vector<double>& want) {
    const auto top = CompareTopOne(outputs.shape, outputs.got, want);
    if (!top || top->rows == 0) return std::string();
    Put(name, static_cast<double>(top->same) / static_cast<double>(top->rows), record);
    return fmt::format("{} of {}", top->same, top->rows);
  };
  const std::string golden = put("top1_agreement", outputs.golden);
  if (golden.empty()) return "";
  std::string text = "; top-1 as the golden in " + golden;
  if (!outputs.real.empty())
    text += ", as float in " + put("top1_agreement_float", outputs.real);
  return text + " rows";
}

void Measure(const ModelOutputs& outputs, CaseRecord& record) {
  if (outputs.got.empty()) return;
  const double to_golden = SqnrDb(outputs.got, outputs.golden);
  Put("sqnr_golden_db", to_golden, record);
  std::string text = "SQNR to the golden: " + Db(to_golden);
  if (!outputs.real.empty()) {
    const double to_float = SqnrDb(outputs.got, outputs.real);
    const double own = SqnrDb(outputs.golden, outputs.real);
    Put("sqnr_float_db", to_float, record);
    Put("sqnr_golden_float_db", own, record);
    text += fmt::format(", to the float model: {} (the golden's own: {})", Db(to_float),
                        Db(own));
  } else {
    text += "; the golden does not hold the float model";
  }
  record.details.push_back(text + TopOneText(outputs, record));
}

CaseRecord Failure(const CaseRecord& record, const ProgramRun& run,
                   const Subject& subject) {
  ConformanceCase nothing;
  nothing.suite = record.suite;
  nothing.fill = record.fill;
  CaseRecord failed = Judge(nothing, "", run.failure, subject.identity);
  failed.kind = record.kind;
  failed.details.insert(failed.details.begin(), "in node " + run.failed_node);
  return failed;
}

}  // namespace

CaseRecord RunEndToEnd(const Golden& golden, const Subject& subject) {
  CaseRecord record;
  record.suite = GoldenName(golden);
  record.kind = "program";
  record.fill = "real";
  record.backend = subject.identity;
  std::vector<Tensor> inputs;
  for (const int index : golden.program.inputs)
    inputs.push_back(GoldenValue(golden, index));
  const ProgramRun run =
      RunProgramOnBackend(golden.program, inputs, subject.worker, subject.config);
  record.backend_operators = run.backend_operators;
  record.reference_operators = run.reference_operators;
  record.float_islands = run.float_islands;
  if (!run.failed_node.empty()) return Failure(record, run, subject);
  if (run.backend_operators == 0) {
    record.verdict = Verdict::kRefused;
    record.reason = "the backend runs none of its operators";
    return record;
  }
  JudgeNodes(golden, run, subject, record);
  Measure(OutputsOf(golden, run, inputs), record);
  record.details.push_back(
      fmt::format("{} operators by the backend, {} by the reference, {} float islands",
                  run.backend_operators, run.reference_operators, run.float_islands));
  return record;
}

}  // namespace qconform
