#include "reference/lower/run_program.h"

#include <algorithm>
#include <cstring>

#include "reference/ir/error.h"
#include "reference/lower/operator_descriptor.h"
#include "reference/lower/program_json.h"
#include "reference/numerics/scalar_operator.h"
#include "reference/ops/interpreter.h"

namespace qconform {
namespace {

void Check(const ProgramValue& value, const Tensor& tensor) {
  if (tensor.dtype() == value.dtype && tensor.shape() == value.shape) return;
  throw InputError(
      "value " + value.name,
      "it is " + std::string(DTypeName(tensor.dtype())) + " " + ShapeText(tensor.shape()),
      std::string(DTypeName(value.dtype)) + " " + ShapeText(value.shape));
}

class Runner {
 public:
  Runner(const Program& program, const OperatorRunner& run)
      : program_(program), run_(run), values_(program.values.size()) {
    for (size_t i = 0; i < values_.size(); ++i) {
      const std::optional<Tensor>& constant = program.values[i].constant;
      if (constant) values_[i] = *constant;
    }
  }

  void SetInputs(const std::vector<Tensor>& inputs) {
    if (inputs.size() != program_.inputs.size()) {
      throw InputError("program", std::to_string(inputs.size()) + " inputs are given",
                       std::to_string(program_.inputs.size()));
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
      Check(Value(program_.inputs[i]), inputs[i]);
      values_[static_cast<size_t>(program_.inputs[i])] = inputs[i];
    }
  }

  void RunStep(const ProgramStep& step) {
    if (const FloatIsland* island = std::get_if<FloatIsland>(&step)) {
      RunIsland(*island);
    } else {
      RunOperator(std::get<ProgramOperator>(step));
    }
  }

  void Drop(int value) { values_[static_cast<size_t>(value)].reset(); }

  Tensor Get(int value) const { return values_[static_cast<size_t>(value)].value(); }

 private:
  const ProgramValue& Value(int index) const {
    return program_.values[static_cast<size_t>(index)];
  }

  void RunOperator(const ProgramOperator& step) {
    std::vector<const Tensor*> inputs;
    for (int index : step.inputs) {
      inputs.push_back(index < 0 ? nullptr : &*values_[static_cast<size_t>(index)]);
    }
    std::vector<Tensor*> outputs;
    for (int index : step.outputs) {
      const ProgramValue& value = Value(index);
      Tensor& tensor =
          values_[static_cast<size_t>(index)].emplace(value.dtype, value.shape);
      if (value.quantization) tensor.set_quantization(*value.quantization);
      outputs.push_back(&tensor);
    }
    run_(program_, step, inputs, outputs);
  }

  void RunIsland(const FloatIsland& island) {
    std::vector<Tensor> inputs;
    for (int index : island.inputs) inputs.push_back(Get(index));
    const std::vector<Tensor> outputs = qconform::RunIsland(program_, island, inputs);
    for (size_t i = 0; i < outputs.size(); ++i)
      values_[static_cast<size_t>(island.outputs[i])] = outputs[i];
  }

  const Program& program_;
  const OperatorRunner& run_;
  std::vector<std::optional<Tensor>> values_;
};

// By step, the values that nothing after it reads.
std::vector<std::vector<int>> LastUses(const Program& program) {
  std::vector<std::vector<int>> last(program.steps.size());
  std::vector<bool> used(program.values.size());
  for (int output : program.outputs) used[static_cast<size_t>(output)] = true;
  for (size_t i = program.steps.size(); i-- > 0;) {
    for (const std::vector<int>* values :
         {&InputsOf(program.steps[i]), &OutputsOf(program.steps[i])}) {
      for (int value : *values) {
        if (value < 0 || used[static_cast<size_t>(value)]) continue;
        used[static_cast<size_t>(value)] = true;
        last[i].push_back(value);
      }
    }
  }
  return last;
}

}  // namespace

void RunByDefinition(const Program& program, const ProgramOperator& step,
                     const std::vector<const Tensor*>& inputs,
                     const std::vector<Tensor*>& outputs) {
  OperatorDescriptor descriptor(program, step);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] != nullptr) descriptor.SetInput(i, *inputs[i]);
  }
  for (size_t i = 0; i < outputs.size(); ++i) descriptor.SetOutput(i, *outputs[i]);
  const qc_status status = RunScalarOperator(descriptor.descriptor(), descriptor.inputs(),
                                             descriptor.outputs());
  if (status == QC_OK) return;
  std::string reason;
  DefinesOperator(descriptor.descriptor(), &reason);
  throw InputError("node " + step.node, std::string(OperatorKindName(step.kind)) +
                                            " has no definition under " + step.scheme +
                                            " (" + reason + ")");
}

std::vector<Tensor> RunIsland(const Program& program, const FloatIsland& island,
                              const std::vector<Tensor>& inputs) {
  std::vector<Value> values;
  // An operator that works in place must not reach the program's own value.
  for (const Tensor& input : inputs) values.emplace_back(input.Clone());
  const Value result = Interpreter(island.part).Run(values);
  const ValueSequence* items = result.As<ValueSequence>();
  if (items == nullptr || items->items.size() != island.outputs.size()) {
    throw InputError("island of " + island.nodes.at(0), "it gives " + ValueText(result),
                     "a tuple of " + std::to_string(island.outputs.size()));
  }
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < items->items.size(); ++i) {
    const Tensor* tensor = items->items[i].As<Tensor>();
    if (tensor == nullptr) {
      throw InputError("island of " + island.nodes.at(0),
                       "it gives " + ValueText(items->items[i]), "tensors");
    }
    Check(program.values[static_cast<size_t>(island.outputs[i])], *tensor);
    outputs.push_back(*tensor);
  }
  return outputs;
}

std::vector<Tensor> RunProgramValues(const Program& program,
                                     const std::vector<Tensor>& inputs,
                                     const OperatorRunner& runner) {
  Runner run(program, runner);
  run.SetInputs(inputs);
  for (const ProgramStep& step : program.steps) run.RunStep(step);
  std::vector<Tensor> values;
  for (size_t i = 0; i < program.values.size(); ++i) {
    values.push_back(run.Get(static_cast<int>(i)));
  }
  return values;
}

std::vector<Tensor> RunProgram(const Program& program, const std::vector<Tensor>& inputs,
                               const OperatorRunner& runner) {
  Runner run(program, runner);
  run.SetInputs(inputs);
  const std::vector<std::vector<int>> last = LastUses(program);
  for (size_t i = 0; i < program.steps.size(); ++i) {
    run.RunStep(program.steps[i]);
    for (int value : last[i]) run.Drop(value);
  }
  std::vector<Tensor> outputs;
  for (int output : program.outputs) outputs.push_back(run.Get(output));
  return outputs;
}

Tensor RunProgramOverRows(const Program& program, const Tensor& inputs,
                          const OperatorRunner& runner) {
  if (program.inputs.size() != 1 || program.outputs.size() != 1) {
    throw InputError("program", "it has several inputs or outputs", "one of each");
  }
  const ProgramValue& input = program.values[static_cast<size_t>(program.inputs[0])];
  const ProgramValue& output = program.values[static_cast<size_t>(program.outputs[0])];
  const int64_t step = input.shape.empty() ? 0 : input.shape[0];
  if (step < 1 || output.shape.empty() || output.shape[0] != step || inputs.dim(0) < 1) {
    throw InputError("program", "its first dimension is no batch", "rows in, rows out");
  }
  const int64_t rows = inputs.dim(0);
  Shape shape = output.shape;
  shape[0] = rows;
  Tensor result(output.dtype, shape);
  const size_t row_in = inputs.byte_size() / static_cast<size_t>(rows);
  const size_t row_out = result.byte_size() / static_cast<size_t>(rows);
  for (int64_t begin = 0; begin < rows; begin += step) {
    Tensor piece(input.dtype, input.shape);
    if (piece.byte_size() != row_in * static_cast<size_t>(step)) {
      throw InputError("program", "rows of " + ShapeText(inputs.shape()) + " do not fit",
                       "rows of " + ShapeText(input.shape));
    }
    for (int64_t i = 0; i < step; ++i) {
      const auto source = static_cast<size_t>(std::min(begin + i, rows - 1));
      std::memcpy(piece.bytes() + static_cast<size_t>(i) * row_in,
                  inputs.bytes() + source * row_in, row_in);
    }
    const Tensor made = RunProgram(program, {piece}, runner).at(0);
    const auto count = static_cast<size_t>(std::min(step, rows - begin));
    std::memcpy(result.bytes() + static_cast<size_t>(begin) * row_out, made.bytes(),
                count * row_out);
  }
  return result;
}

}  // namespace qconform
