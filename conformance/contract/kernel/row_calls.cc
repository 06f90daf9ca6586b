#include "conformance/contract/kernel/row_calls.h"

#include "conformance/cases/declared_row.h"
#include "conformance/contract/kernel/live_call.h"
#include "conformance/contract/pipeline_cases.h"
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

// One of each row and dtype config of native that lowers.
const std::vector<OperatorCall>& NativeCalls() {
  static const auto* const calls = [] {
    auto* made = new std::vector<OperatorCall>;
    const auto native =
        std::make_shared<const BackendConfig>(BuiltInBackendConfig("native"));
    for (const ContractCase& c : ExpandContract(*native)) {
      if (c.about != "satisfied" || c.dtype_config == nullptr) continue;
      for (OperatorCall& call : LoweredCalls(c, native)) made->push_back(std::move(call));
    }
    return made;
  }();
  return *calls;
}

class Search {
 public:
  explicit Search(const ContractCase& c)
      : pattern_(PatternOf(*c.entry)), dtypes_(*c.dtype_config) {}

  // Of calls that compute the same, the first that fits.
  bool Try(const std::vector<OperatorCall>& calls) {
    for (const OperatorCall& candidate : calls) {
      for (const bool fuse_relu : {false, true}) {
        OperatorCall call = candidate;
        if (fuse_relu) call.attributes.activation = QC_ACTIVATION_RELU;
        if (!ComputesSame(pattern_, call)) continue;
        const std::string objection = FitLive(dtypes_, call);
        if (objection.empty()) {
          found_.call = std::move(call);
          return true;
        }
        found_.why_not = objection;
      }
    }
    return false;
  }

  RowCall Take() { return std::move(found_); }

 private:
  const Pattern& pattern_;
  const DTypeConfig& dtypes_;
  RowCall found_ = {std::nullopt, "no graph of it can be run and lowered"};
};

}  // namespace

RowCall SmallestCall(const ContractCase& contract_case,
                     const std::shared_ptr<const BackendConfig>& config) {
  if (OperatorOfPattern(PatternOf(*contract_case.entry)).empty()) {
    return {std::nullopt, "no operator of the ABI computes it"};
  }
  Search search(contract_case);
  if (!search.Try(LoweredCalls(contract_case, config))) search.Try(NativeCalls());
  return search.Take();
}

}  // namespace qconform
