#include "conformance/contract/kernel_cases.h"

#include <set>

#include "conformance/cases/declared_row.h"
#include "conformance/compare/reference_outputs.h"
#include "conformance/contract/contract_case.h"
#include "conformance/contract/kernel_steps.h"
#include "conformance/contract/pipeline_cases.h"
#include "conformance/contract/row_words.h"
#include "conformance/host/plugin.h"
#include "conformance/host/program_runner.h"
#include "conformance/verdict/judge.h"
#include "reference/convert/convert.h"
#include "reference/ir/error.h"
#include "reference/lower/lower.h"
#include "reference/lower/run_program.h"
#include "reference/observe/calibrate.h"

namespace qconform {
namespace {

bool IsConversion(qc_operator_kind kind) {
  return kind == QC_QUANTIZE || kind == QC_DEQUANTIZE || kind == QC_REQUANTIZE;
}

// The operators of the row's smallest graph as the pipeline quantizes it, on its own
// calibration data. None where torch refuses or the graph cannot be run.
std::vector<OperatorCall> CallsOf(const ContractCase& contract_case,
                                  const std::shared_ptr<const BackendConfig>& config) {
  std::vector<OperatorCall> calls;
  const PipelineRequest request = RequestOf(contract_case, config, Mode::kTorch);
  if (request.is_qat || request.calibration.empty()) return calls;
  try {
    Prepared prepared = PrepareFx(request.graph, request.mapping, config);
    for (const std::vector<Tensor>& batch : request.calibration) {
      RunObserved(prepared.module, std::vector<Value>(batch.begin(), batch.end()));
    }
    const GraphModule reference = ConvertToReference(prepared);
    LowerOptions options;
    options.config = config->name();
    const std::vector<Tensor>& inputs = request.calibration.front();
    const Program program = Lower(reference, inputs, options);
    const std::vector<Tensor> values = RunProgramValues(program, inputs);
    for (const ProgramStep& step : program.steps) {
      const auto* op = std::get_if<ProgramOperator>(&step);
      if (op == nullptr || IsConversion(op->kind)) continue;
      std::vector<const Tensor*> operands;
      for (const int index : op->inputs) {
        operands.push_back(index < 0 ? nullptr : &values[static_cast<size_t>(index)]);
      }
      calls.push_back(CallOf(program, *op, operands));
      calls.back().scheme = op->scheme;
    }
  } catch (const PipelineError&) {
    calls.clear();
  } catch (const InputError&) {
    // No definition of the operator: nothing to judge it by.
    calls.clear();
  }
  return calls;
}

CaseRecord RunUndeclared(const OperatorCall& call, const Subject& subject) {
  CallOutcome outcome;
  try {
    outcome = subject.worker.Call(call, CallMode::kOnce);
  } catch (const BackendError& error) {
    outcome.end = CallEnd::kCrashed;
    outcome.phase = "load";
    outcome.signal = error.what();
  }
  const CallReply& reply = outcome.reply;
  if (outcome.end != CallEnd::kReplied || reply.query_status != QC_OK ||
      !reply.supported) {
    ConformanceCase c;
    c.call = call;
    CaseRecord record = Judge(c, "", outcome, subject.identity);
    if (record.verdict == Verdict::kRefused) record.verdict = Verdict::kPass;
    return record;
  }
  CaseRecord record;
  record.backend = subject.identity;
  record.kind = OperatorName(call.kind, call.attributes);
  record.phase = "query";
  record.verdict = Verdict::kFail;
  record.cause = "accepts what it does not declare";
  record.details = {"no row of the config declares this call, and query accepts it"};
  return record;
}

CaseRecord RunStep(const KernelStep& step, const std::string& row,
                   const Subject& subject) {
  if (row.empty()) return RunUndeclared(step.call, subject);
  ConformanceCase c;
  c.call = step.call;
  const auto want = ReferenceOutputs(step.call, step.call.scheme);
  if (!want) throw InputError(step.name, "the reference has no definition of this call");
  c.want = *want;
  return RunOperatorCase(c, subject);
}

}  // namespace

std::vector<CaseSource> KernelContractCases(std::shared_ptr<const BackendConfig> config) {
  std::vector<CaseSource> sources;
  std::set<std::string> seen;
  for (const ContractCase& c : ExpandContract(*config)) {
    if (c.about != "satisfied" || c.dtype_config == nullptr) continue;
    for (const OperatorCall& call : CallsOf(c, config)) {
      if (DeclaredRow(*config, call).empty()) continue;
      std::string group =
          ContractName(*config) + "/contract/" + OperatorName(call.kind, call.attributes);
      if (call.attributes.activation == QC_ACTIVATION_RELU) group += ".relu";
      group += "/" + c.group.substr(c.group.rfind('/') + 1);
      if (!seen.insert(group).second) continue;
      for (KernelStep& step : KernelSteps(call, *c.dtype_config)) {
        const std::string row = DeclaredRow(*config, step.call);
        const std::string id = group + "/" + step.name;
        // The config outlives the case.
        sources.push_back(
            {id, group,
             [config, id, group, row, step = std::move(step)](const Subject& subject) {
               CaseRecord record = RunStep(step, row, subject);
               record.id = id;
               record.suite = ContractName(*config) + "/contract";
               record.group = group;
               record.fill = step.name;
               return record;
             }});
      }
    }
  }
  return sources;
}

}  // namespace qconform
