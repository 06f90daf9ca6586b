#include "conformance/host/planned_step.h"

#include <algorithm>
#include <utility>

#include "conformance/host/plugin.h"
#include "conformance/host/program_runner.h"
#include "reference/lower/run_program.h"

namespace qconform {
namespace {

std::string NameOf(const ProgramOperator& step) {
  return OperatorName(step.kind, step.attributes);
}

class BackendStep : public PlannedStep {
 public:
  BackendStep(std::unique_ptr<AskedOperator> asked, const qc_backend& backend,
              qc_plan* plan)
      : PlannedStep(NameOf(asked->step()), StepOwner::kBackend),
        asked_(std::move(asked)),
        backend_(backend),
        plan_(plan) {}
  ~BackendStep() override { backend_.destroy(plan_); }

  void Run(ValueStorage& storage, std::byte* workspace) override {
    const ProgramOperator& step = asked_->step();
    AbiView& view = asked_->view();
    for (size_t i = 0; i < step.inputs.size(); ++i) {
      if (step.inputs[i] >= 0) view.input(i).data = storage.At(step.inputs[i]);
    }
    for (size_t i = 0; i < step.outputs.size(); ++i)
      view.output(i).data = storage.At(step.outputs[i]);
    const qc_status status =
        backend_.run(plan_, view.inputs().data(), view.outputs().data(), workspace);
    if (status != QC_OK) {
      throw BackendError("node " + step.node + ": run answered status " +
                         std::to_string(status));
    }
  }

 private:
  std::unique_ptr<AskedOperator> asked_;
  const qc_backend& backend_;
  qc_plan* plan_;
};

class DefinitionStep : public PlannedStep {
 public:
  DefinitionStep(const Program& program, const ProgramOperator& step)
      : PlannedStep(NameOf(step), StepOwner::kDefinition),
        program_(program),
        step_(step) {}

  void Run(ValueStorage& storage, std::byte*) override {
    std::vector<Tensor> in, out;
    std::vector<const Tensor*> inputs;
    std::vector<Tensor*> outputs;
    in.reserve(step_.inputs.size());
    out.reserve(step_.outputs.size());
    for (const int index : step_.inputs) {
      inputs.push_back(index < 0 ? nullptr : &in.emplace_back(storage.Read(index)));
    }
    for (const int index : step_.outputs) {
      const ProgramValue& value = program_.values[static_cast<size_t>(index)];
      outputs.push_back(&out.emplace_back(value.dtype, value.shape));
    }
    RunByDefinition(program_, step_, inputs, outputs);
    for (size_t i = 0; i < out.size(); ++i) storage.Write(step_.outputs[i], out[i]);
  }

 private:
  const Program& program_;
  const ProgramOperator& step_;
};

class IslandStep : public PlannedStep {
 public:
  IslandStep(const Program& program, const FloatIsland& island)
      : PlannedStep("float", StepOwner::kInterpreter),
        program_(program),
        island_(island) {}

  void Run(ValueStorage& storage, std::byte*) override {
    std::vector<Tensor> inputs;
    for (const int index : island_.inputs) inputs.push_back(storage.Read(index));
    const std::vector<Tensor> outputs = RunIsland(program_, island_, inputs);
    for (size_t i = 0; i < outputs.size(); ++i)
      storage.Write(island_.outputs[i], outputs[i]);
  }

 private:
  const Program& program_;
  const FloatIsland& island_;
};

class ViewStep : public PlannedStep {
 public:
  explicit ViewStep(const ProgramOperator& step)
      : PlannedStep(NameOf(step), StepOwner::kView) {}
  void Run(ValueStorage&, std::byte*) override {}
};

void SetStrides(const std::vector<int64_t>& strides, qc_tensor& tensor) {
  std::copy(strides.begin(), strides.end(), tensor.stride);
}

}  // namespace

AskedOperator::AskedOperator(const Program& program, const ProgramOperator& step)
    : step_(step) {
  std::vector<Tensor> blank;  // of activations only dtype and shape count
  blank.reserve(step.inputs.size());
  std::vector<const Tensor*> inputs;
  for (const std::vector<int>* list : {&step.inputs, &step.outputs}) {
    for (const int index : *list) {
      if (index < 0) continue;
      const ProgramValue& value = program.values[static_cast<size_t>(index)];
      if (!AbiDTypeOf(value.dtype) || value.shape.size() > QC_MAX_RANK) return;
    }
  }
  for (const int index : step.inputs) {
    if (index < 0) {
      inputs.push_back(nullptr);
      continue;
    }
    const ProgramValue& value = program.values[static_cast<size_t>(index)];
    inputs.push_back(value.constant ? &*value.constant
                                    : &blank.emplace_back(Tensor::Uninitialized(
                                          value.dtype, value.shape)));
  }
  call_ = CallOf(program, step, inputs);
  view_ = std::make_unique<AbiView>(call_, MemoryFormat::kContiguous);
  for (size_t i = 0; i < call_.inputs.size(); ++i) {
    if (!call_.inputs[i]) continue;
    if (call_.inputs[i]->constant) {
      view_->input(i).data = call_.inputs[i]->data.data();
    } else {
      call_.inputs[i]->data = {};
    }
  }
}

qc_answer AskedOperator::Query(const qc_backend& backend) const {
  qc_answer answer = {};
  answer.size = sizeof answer;
  if (backend.query(backend.context, &view_->descriptor(), &answer) != QC_OK)
    throw BackendError("node " + step_.node + ": query failed");
  return answer;
}

bool BackendAccepts(const qc_backend& backend, const Program& program,
                    const ProgramOperator& step) {
  const AskedOperator asked(program, step);
  return asked.expressible() && asked.Query(backend).supported != 0;
}

std::unique_ptr<PlannedStep> PlanBackendStep(std::unique_ptr<AskedOperator> asked,
                                             const qc_backend& backend, int threads,
                                             const ValueStorage& storage,
                                             qc_plan_info& info) {
  const ProgramOperator& step = asked->step();
  AbiView& view = asked->view();
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    const auto& input = asked->call().inputs[i];
    if (input && !input->constant)
      SetStrides(storage.StridesOf(step.inputs[i]), view.input(i));
  }
  for (size_t i = 0; i < step.outputs.size(); ++i)
    SetStrides(storage.StridesOf(step.outputs[i]), view.output(i));
  info = {};
  info.size = sizeof info;
  qc_plan* plan = nullptr;
  const std::vector<const qc_tensor*> constants = view.constants();
  const qc_status status = backend.plan(backend.context, &view.descriptor(),
                                        constants.data(), threads, &plan, &info);
  if (status != QC_OK)
    throw BackendError("node " + step.node + ": plan failed: " + info.reason);
  for (auto& input : asked->call().inputs)
    if (input) input->data = {};
  return std::make_unique<BackendStep>(std::move(asked), backend, plan);
}

std::unique_ptr<PlannedStep> MakeReferenceStep(const Program& program,
                                               const ProgramStep& step) {
  if (const auto* island = std::get_if<FloatIsland>(&step))
    return std::make_unique<IslandStep>(program, *island);
  return std::make_unique<DefinitionStep>(program, std::get<ProgramOperator>(step));
}

std::unique_ptr<PlannedStep> MakeView(const ProgramOperator& step) {
  return std::make_unique<ViewStep>(step);
}

}  // namespace qconform
