#include "conformance/host/program_runner.h"

#include <cstring>
#include <utility>

#include "conformance/cases/declared_row.h"
#include "reference/lower/run_program.h"

namespace qconform {
namespace {

// Leaves the run of a program when the backend is gone.
struct BackendGone {};

void Describe(const ProgramValue& value, CallTensor& tensor) {
  if (value.quantization) {
    tensor.scale.assign(value.quantization->scale.begin(),
                        value.quantization->scale.end());
    const std::vector<double>& zero_point = value.quantization->zero_point;
    if (value.float_zero_point) {
      tensor.zero_point.clear();
      tensor.zero_point_f32.assign(zero_point.begin(), zero_point.end());
    } else {
      tensor.zero_point.assign(zero_point.begin(), zero_point.end());
    }
    tensor.axis = value.quantization->axis;
  }
  tensor.quant_min = value.quant_min;
  tensor.quant_max = value.quant_max;
  tensor.constant = value.constant.has_value();
}

const ProgramValue& ValueAt(const Program& program, int index) {
  return program.values[static_cast<size_t>(index)];
}

}  // namespace

OperatorCall CallOf(const Program& program, const ProgramOperator& step,
                    const std::vector<const Tensor*>& inputs) {
  OperatorCall call;
  call.kind = step.kind;
  call.attributes = step.attributes;
  call.attributes.size = sizeof(qc_attributes);
  call.scheme = step.scheme;
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    call.inputs.emplace_back();
    if (step.inputs[i] < 0 || inputs[i] == nullptr) continue;
    call.inputs.back() = CallTensorFrom(*inputs[i]);
    Describe(ValueAt(program, step.inputs[i]), *call.inputs.back());
  }
  for (const int output : step.outputs) {
    const ProgramValue& value = ValueAt(program, output);
    CallTensor tensor = CallTensorFrom(Tensor(value.dtype, {0}));
    tensor.shape = value.shape;
    Describe(value, tensor);
    call.outputs.push_back(std::move(tensor));
  }
  return call;
}

ProgramRun RunProgramOnBackend(const Program& program, const std::vector<Tensor>& inputs,
                               CallTarget& target, const BackendConfig* config) {
  ProgramRun run;
  const auto run_operator = [&](const Program& whole, const ProgramOperator& step,
                                const std::vector<const Tensor*>& in,
                                const std::vector<Tensor*>& out) {
    const OperatorCall call = CallOf(whole, step, in);
    const bool asked = config == nullptr || !DeclaredRow(*config, call).empty();
    if (asked) {
      CallOutcome outcome = target.Call(call, CallMode::kOnce);
      const CallReply& reply = outcome.reply;
      const bool computed = outcome.end == CallEnd::kReplied && reply.supported &&
                            reply.runs.size() == 1 &&
                            reply.runs[0].problem == RunProblem::kNone;
      if (!computed && (outcome.end != CallEnd::kReplied || reply.supported)) {
        run.failed_node = step.node;
        run.failure = std::move(outcome);
        throw BackendGone();
      }
      if (computed) {
        for (size_t i = 0; i < out.size(); ++i) {
          const auto& bytes = reply.runs[0].outputs[i];
          if (!bytes.empty()) std::memcpy(out[i]->bytes(), bytes.data(), bytes.size());
        }
        run.schemes[step.node] = reply.scheme;
        ++run.backend_operators;
        return;
      }
    }
    RunByDefinition(whole, step, in, out);
    ++run.reference_operators;
  };
  for (const ProgramStep& step : program.steps)
    run.float_islands += std::holds_alternative<FloatIsland>(step) ? 1 : 0;
  try {
    run.values = RunProgramValues(program, inputs, run_operator);
  } catch (const BackendGone&) {
    run.values.clear();
  }
  return run;
}

std::vector<Tensor> ReferenceProgramValues(
    const Program& program, const std::vector<Tensor>& inputs,
    const std::unordered_map<std::string, std::string>& schemes) {
  const auto run_operator = [&](const Program& whole, const ProgramOperator& step,
                                const std::vector<const Tensor*>& in,
                                const std::vector<Tensor*>& out) {
    auto found = schemes.find(step.node);
    if (found == schemes.end() || found->second == step.scheme)
      return RunByDefinition(whole, step, in, out);
    ProgramOperator other = step;
    other.scheme = found->second;
    RunByDefinition(whole, other, in, out);
  };
  return RunProgramValues(program, inputs, run_operator);
}

}  // namespace qconform
