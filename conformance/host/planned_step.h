// One step of a planned program.
#ifndef QCONFORM_CONFORMANCE_HOST_PLANNED_STEP_H_
#define QCONFORM_CONFORMANCE_HOST_PLANNED_STEP_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "conformance/host/abi_view.h"
#include "conformance/host/operator_call.h"
#include "conformance/host/value_storage.h"
#include "kernels/abi/qconform_backend.h"
#include "reference/lower/program.h"

namespace qconform {

// Who computes a step: the backend, the scalar definition, the interpreter, or nobody,
// because its output is its input.
enum class StepOwner : uint8_t { kBackend, kDefinition, kInterpreter, kView };

class PlannedStep {
 public:
  PlannedStep(std::string name, StepOwner owner)
      : name_(std::move(name)), owner_(owner) {}
  virtual ~PlannedStep() = default;

  virtual void Run(ValueStorage& storage, std::byte* workspace) = 0;

  const std::string& name() const { return name_; }
  StepOwner owner() const { return owner_; }

 private:
  std::string name_;
  StepOwner owner_;
};

// An operator as the backend is asked for it. Its descriptor holds no data but that of
// constants.
class AskedOperator {
 public:
  AskedOperator(const Program& program, const ProgramOperator& step);

  // Throws BackendError with the node's name if query fails.
  qc_answer Query(const qc_backend& backend) const;
  // Whether the ABI has all of its dtypes: else nobody can be asked.
  bool expressible() const { return view_ != nullptr; }

  const ProgramOperator& step() const { return step_; }
  OperatorCall& call() { return call_; }
  AbiView& view() { return *view_; }

 private:
  const ProgramOperator& step_;
  OperatorCall call_;
  std::unique_ptr<AbiView> view_;
};

// Whether the backend runs it. Throws as AskedOperator::Query does.
bool BackendAccepts(const qc_backend& backend, const Program& program,
                    const ProgramOperator& step);

// Plans it at once: constants are dropped afterwards. `info` takes workspace and path.
// Throws BackendError with the node's name.
std::unique_ptr<PlannedStep> PlanBackendStep(std::unique_ptr<AskedOperator> asked,
                                             const qc_backend& backend, int threads,
                                             const ValueStorage& storage,
                                             qc_plan_info& info);

// The scalar definition or the interpreter, over dense copies; a step that is a view.
std::unique_ptr<PlannedStep> MakeReferenceStep(const Program& program,
                                               const ProgramStep& step);
std::unique_ptr<PlannedStep> MakeView(const ProgramOperator& step);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_PLANNED_STEP_H_
