// A lowered program on a backend, made ready once and run many times: every operator
// planned, every buffer's place planned, nothing copied between operators.
#ifndef QCONFORM_CONFORMANCE_HOST_PLANNED_PROGRAM_H_
#define QCONFORM_CONFORMANCE_HOST_PLANNED_PROGRAM_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/host/memory_format.h"
#include "conformance/host/planned_step.h"
#include "conformance/host/value_storage.h"
#include "kernels/abi/qconform_backend.h"
#include "reference/lower/program.h"

namespace qconform {

class PlannedProgram {
 public:
  // Operators that query refuses, and float islands, are run by the reference. `program`
  // and the backend must outlive this. Throws BackendError that names the node where the
  // backend accepts and then fails to plan, InputError as ChooseValueFormats does.
  PlannedProgram(const Program& program, const qc_backend& backend, int threads);
  PlannedProgram(const PlannedProgram&) = delete;
  PlannedProgram& operator=(const PlannedProgram&) = delete;

  // Called after each step, by its index in program.steps.
  using StepHook = std::function<void(size_t step)>;

  // `inputs`: the program's, dense and row-major; they must stay until the run is over.
  // One run at a time. Throws BackendError that names the node where a run fails.
  void Run(const std::vector<const Tensor*>& inputs, const StepHook& after = nullptr);

  // A dense copy of a value that is alive: inside a StepHook what the step has just
  // computed, after Run the program's inputs and outputs.
  Tensor Value(int index) const;
  // Of the last run, in the order of program.outputs.
  std::vector<Tensor> Outputs() const;

  // "conv2d", "linear", ...; "float" for an island.
  const std::string& StepName(size_t step) const { return steps_[step]->name(); }
  StepOwner OwnerOf(size_t step) const { return steps_[step]->owner(); }
  int Count(StepOwner owner) const;

  // Node to the scheme in which the backend computes it.
  const std::unordered_map<std::string, std::string>& schemes() const { return schemes_; }
  // The code path of the first operator that has a plan; empty if none has.
  const std::string& path() const { return path_; }
  const ValueStorage& storage() const { return storage_; }

 private:
  const Program& program_;
  std::unordered_map<std::string, std::string> schemes_;
  std::string path_;
  ValueStorage storage_;
  AlignedBytes workspace_;
  std::vector<std::unique_ptr<PlannedStep>> steps_;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_PLANNED_PROGRAM_H_
