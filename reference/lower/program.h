// A lowered program: what a kernel backend is asked to run. Operators are ABI
// descriptors over numbered values; whatever has no integer operator is a float
// island, a piece of the reference graph that the interpreter runs.
#ifndef QCONFORM_REFERENCE_LOWER_PROGRAM_H_
#define QCONFORM_REFERENCE_LOWER_PROGRAM_H_

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "reference/ir/module.h"
#include "reference/ir/tensor.h"

namespace qconform {

// A tensor of the program: an input, a constant, or the result of one step.
// dtype is a plain one (uint8, int8, int32, float32, ...); codes carry qparams.
struct ProgramValue {
  std::string name;  // unique; the graph node or constant that it comes from
  DType dtype = DType::kFloat32;
  Shape shape;  // as seen on the example input
  std::optional<QuantizationParameters> quantization;
  int32_t quant_min = 0;  // (0, 0): the whole range of the dtype
  int32_t quant_max = 0;
  // The zero points are float (torch's per_channel_affine_float_qparams).
  bool float_zero_point = false;
  std::optional<Tensor> constant;
};

struct ProgramOperator {
  qc_operator_kind kind;
  qc_attributes attributes;
  std::vector<int> inputs;  // indices into Program::values, -1 for an absent one
  std::vector<int> outputs;
  std::string scheme;              // under which the golden's codes hold
  std::string node;                // the reference graph's node that computes it
  std::vector<std::string> nodes;  // all that it stands for, without quantize and
                                   // dequantize: conv and relu
  std::string pattern;             // the backend config row that it came from
};

struct FloatIsland {
  // Placeholders in the order of inputs; the output node holds a tuple, one item an
  // output.
  GraphModule part;
  std::vector<int> inputs;
  std::vector<int> outputs;
  std::vector<std::string> nodes;
  std::string reason;  // why this is not an integer operator
};

using ProgramStep = std::variant<ProgramOperator, FloatIsland>;

// The values that a step reads and writes, by index.
inline const std::vector<int>& InputsOf(const ProgramStep& step) {
  return std::visit(
      [](const auto& each) -> const std::vector<int>& { return each.inputs; }, step);
}
inline const std::vector<int>& OutputsOf(const ProgramStep& step) {
  return std::visit(
      [](const auto& each) -> const std::vector<int>& { return each.outputs; }, step);
}

struct Program {
  std::vector<ProgramValue> values;
  std::vector<ProgramStep> steps;  // in execution order
  std::vector<int> inputs;
  std::vector<int> outputs;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LOWER_PROGRAM_H_
