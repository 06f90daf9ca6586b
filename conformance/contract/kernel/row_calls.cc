#include "conformance/contract/kernel/row_calls.h"

#include "conformance/cases/build_call.h"
#include "conformance/cases/declared_row.h"
#include "conformance/cases/pattern_operator.h"
#include "conformance/cases/suite_row.h"
#include "conformance/contract/kernel/live_call.h"
#include "conformance/contract/pipeline_cases.h"
#include "conformance/host/code_element.h"
#include "conformance/host/program_runner.h"
#include "reference/backends/backends.h"
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

// The operators of the case's graph as the pipeline quantizes it, on its own calibration
// data. None where it refuses, or where the graph cannot be run or lowered.
std::vector<OperatorCall> LoweredCalls(
    const ContractCase& contract_case,
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
    }
  } catch (const PipelineError&) {
    calls.clear();
  } catch (const InputError&) {
    calls.clear();
  }
  return calls;
}

// One of each row and dtype config of native that lowers, then of executorch, which names
// operators that native does not: a subtraction, padding.
const std::vector<OperatorCall>& KnownCalls() {
  static const auto* const calls = [] {
    auto* made = new std::vector<OperatorCall>;
    for (const char* name : {"native", "executorch"}) {
      const auto known =
          std::make_shared<const BackendConfig>(BuiltInBackendConfig(name));
      for (const ContractCase& c : ExpandContract(*known)) {
        if (c.about != "satisfied" || c.dtype_config == nullptr) continue;
        for (OperatorCall& call : LoweredCalls(c, known))
          made->push_back(std::move(call));
      }
    }
    // No graph of torch.narrow is lowered.
    made->push_back(BuildCall(
        RowFromId("contract/slice.u8u8/i4x10.start0x2.stop4x7.zx77.zy77/uniform")));
    return made;
  }();
  return *calls;
}

// Slope that a leaky ReLU has in torch unless somebody says so.
constexpr double kSlope = 0.01;

// Something of the output's kind, of every code, is added before the activation.
void AddResidual(OperatorCall& call) {
  if (call.outputs.empty() || !IsCode(call.outputs[0].dtype)) return;
  CallTensor residual = call.outputs[0];
  residual.data.resize(residual.byte_size());
  const CodeBounds bounds = BoundsOf(residual);
  for (int64_t i = 0; i < std::ssize(residual.data); ++i)
    SetCodeAt(residual, i, bounds.min + i * 37 % (bounds.max - bounds.min + 1));
  call.inputs.resize(3);
  call.inputs.emplace_back(std::move(residual));
  call.attributes.residual = 1;
}

class CallSearch {
 public:
  CallSearch(const PatternOperator& row, const DTypeConfig& dtypes)
      : row_(row), dtypes_(dtypes) {}

  // Of calls that compute the same, the first that fits.
  bool Try(const std::vector<OperatorCall>& calls) {
    for (const OperatorCall& candidate : calls) {
      OperatorCall call = candidate;
      call.attributes.activation = row_.activation;
      if (row_.activation == QC_ACTIVATION_LEAKY_RELU)
        call.attributes.activation_alpha = kSlope;
      if (row_.residual && call.attributes.residual == 0) AddResidual(call);
      if (!Computes(row_, call)) continue;
      const std::string objection = FitLive(dtypes_, call);
      if (objection.empty()) {
        found_.call = std::move(call);
        return true;
      }
      found_.why_not = objection;
    }
    return false;
  }

  RowCall Take() { return std::move(found_); }

 private:
  const PatternOperator& row_;
  const DTypeConfig& dtypes_;
  RowCall found_ = {std::nullopt, "no graph of it can be run and lowered"};
};

}  // namespace

RowCall SmallestCall(const ContractCase& contract_case,
                     const std::shared_ptr<const BackendConfig>& config) {
  const auto row = OperatorOf(PatternOf(*contract_case.entry));
  if (!row) return {std::nullopt, "no operator of the ABI computes it"};
  CallSearch search(*row, *contract_case.dtype_config);
  if (!search.Try(LoweredCalls(contract_case, config))) search.Try(KnownCalls());
  return search.Take();
}

}  // namespace qconform
