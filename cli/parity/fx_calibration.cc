// Forwards of prepared models, with what their values are known up to.
#include <algorithm>

#include "cli/parity/error_bound.h"
#include "cli/parity/failure.h"
#include "cli/parity/fx_stages.h"
#include "reference/observe/used_modules.h"

namespace qconform::parity {
namespace {

// One forward; `bounds` grow by what its values are known up to.
BoundedValue RunBatch(GraphModule& module, const std::vector<Value>& inputs,
                      ObserverBounds& bounds, RecordReport& report,
                      TrainedErrors* trained) {
  BoundedValues values(module, Registry::BuiltIn(), trained);
  values.set_observer_sink([&](const Module& observer, double error) {
    ObserverBound& bound = bounds[&observer];
    bound.value = std::max(bound.value, error);
  });
  values.set_unbounded_sink(
      [&](const std::string& operation) { report.WithoutBound(operation); });
  return values.Run(inputs).value_or(BoundedValue());
}

}  // namespace

std::optional<std::string> CalibrateWithBounds(const FxRecord& record, Prepared& prepared,
                                               ObserverBounds& bounds,
                                               RecordReport& report,
                                               TrainedErrors* trained) {
  // The records were made in evaluation mode, of QAT after two training steps.
  SetTraining(*prepared.module.root, record.is_qat);
  constexpr size_t kTrainSteps = 2;
  const size_t batches = record.is_qat
                             ? std::min(kTrainSteps, record.calibration_inputs.size())
                             : record.calibration_inputs.size();
  const auto failure = FailureOf([&] {
    for (size_t batch = 0; batch < batches; ++batch) {
      RunBatch(prepared.module, record.calibration_inputs[batch], bounds, report,
               trained);
    }
  });
  // The recorder turns a trained model to evaluation behind its forwards.
  if (!failure) SetTraining(*prepared.module.root, false);
  return failure;
}

std::optional<Difference> CompareEvaluated(const FxRecord& record, Prepared& prepared,
                                           const ordered_json& want,
                                           ObserverBounds& bounds, TrainedErrors* trained,
                                           RecordReport& report) {
  BoundedValue output;
  // Where it fails in torch, too, the observers before have seen the input.
  const auto failure = FailureOf([&] {
    output = RunBatch(prepared.module, record.float_test_input, bounds, report, trained);
  });
  if (!want.contains("output") || want.at("output").is_null()) return std::nullopt;
  if (failure) return Difference{"output", *failure, "ok"};
  return CompareValue("output", output.value, output.error, want.at("output"), report);
}

}  // namespace qconform::parity
