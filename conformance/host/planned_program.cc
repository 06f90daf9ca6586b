#include "conformance/host/planned_program.h"

#include <algorithm>
#include <utility>

#include "conformance/host/value_formats.h"
#include "reference/ir/error.h"

namespace qconform {

PlannedProgram::PlannedProgram(const Program& program, const qc_backend& backend,
                               int threads)
    : program_(program) {
  const size_t count = program.steps.size();
  std::vector<std::unique_ptr<AskedOperator>> asked(count);
  std::vector<uint32_t> accepted(count, QC_ANY_STRIDE);
  std::vector<Sharing> sharing(count, Sharing::kNone);
  for (size_t s = 0; s < count; ++s) {
    const auto* step = std::get_if<ProgramOperator>(&program.steps[s]);
    if (step == nullptr) continue;
    auto one = std::make_unique<AskedOperator>(program, *step);
    if (!one->expressible()) continue;
    const qc_answer answer = one->Query(backend);
    if (answer.supported == 0) continue;
    accepted[s] = answer.memory_formats;
    if (answer.may_alias != 0) sharing[s] = Sharing::kInPlace;
    schemes_[step->node] = answer.scheme;
    asked[s] = std::move(one);
  }
  const std::vector<MemoryFormat> formats = ChooseValueFormats(program, accepted);
  for (size_t s = 0; s < count; ++s)
    if (IsView(program, program.steps[s], formats)) sharing[s] = Sharing::kView;
  storage_ = ValueStorage(program, formats, sharing);
  size_t workspace = 0;
  size_t alignment = 64;
  for (size_t s = 0; s < count; ++s) {
    if (sharing[s] == Sharing::kView) {
      const auto& step = std::get<ProgramOperator>(program.steps[s]);
      const std::byte* in = storage_.At(step.inputs[0]);
      if (in != nullptr && in == storage_.At(step.outputs[0])) {
        steps_.push_back(MakeView(step));
        continue;
      }
    }
    if (!asked[s]) {
      steps_.push_back(MakeReferenceStep(program, program.steps[s]));
      continue;
    }
    qc_plan_info info;
    steps_.push_back(
        PlanBackendStep(std::move(asked[s]), backend, threads, storage_, info));
    workspace = std::max<size_t>(workspace, info.workspace_bytes);
    alignment = std::max<size_t>(alignment, info.workspace_alignment);
    if (path_.empty()) path_ = info.path;
  }
  workspace_ = AlignedBytes(workspace, alignment);
}

void PlannedProgram::Run(const std::vector<const Tensor*>& inputs,
                         const StepHook& after) {
  if (inputs.size() != program_.inputs.size()) {
    throw InputError("program", std::to_string(inputs.size()) + " inputs are given",
                     std::to_string(program_.inputs.size()));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ProgramValue& value = program_.values[static_cast<size_t>(program_.inputs[i])];
    if (inputs[i]->dtype() != value.dtype || inputs[i]->shape() != value.shape) {
      throw InputError("value " + value.name, "it is " + ShapeText(inputs[i]->shape()),
                       ShapeText(value.shape));
    }
    storage_.SetInput(program_.inputs[i], *inputs[i]);
  }
  for (size_t s = 0; s < steps_.size(); ++s) {
    steps_[s]->Run(storage_, workspace_.data());
    if (after) after(s);
  }
}

Tensor PlannedProgram::Value(int index) const { return storage_.Read(index); }

std::vector<Tensor> PlannedProgram::Outputs() const {
  std::vector<Tensor> outputs;
  for (const int index : program_.outputs) outputs.push_back(Value(index));
  return outputs;
}

int PlannedProgram::Count(StepOwner owner) const {
  return static_cast<int>(
      std::count_if(steps_.begin(), steps_.end(),
                    [owner](const auto& step) { return step->owner() == owner; }));
}

}  // namespace qconform
