// Runs a Program: operators by their scalar definitions, islands by the interpreter.
#ifndef QCONFORM_REFERENCE_LOWER_RUN_PROGRAM_H_
#define QCONFORM_REFERENCE_LOWER_RUN_PROGRAM_H_

#include <functional>
#include <vector>

#include "reference/ir/tensor.h"
#include "reference/lower/program.h"

namespace qconform {

// Computes the outputs of one operator. `inputs` are the values of operator.inputs,
// nullptr for an absent one; `outputs` have dtype and shape and are to be filled.
using OperatorRunner = std::function<void(
    const Program& program, const ProgramOperator& step,
    const std::vector<const Tensor*>& inputs, const std::vector<Tensor*>& outputs)>;

// The scalar definition under the operator's scheme. Throws InputError that names the
// node if there is none.
void RunByDefinition(const Program& program, const ProgramOperator& step,
                     const std::vector<const Tensor*>& inputs,
                     const std::vector<Tensor*>& outputs);

// The island's outputs from its inputs, which stay as they are. Throws InputError that
// names its first node if they are not of the program's dtypes and shapes.
std::vector<Tensor> RunIsland(const Program& program, const FloatIsland& island,
                              const std::vector<Tensor>& inputs);

// One tensor a program value, in the order of program.values. Precondition: inputs
// have the dtypes and shapes of program.inputs (else InputError). Quantized values are
// tensors of the plain dtype that the value has (codes).
std::vector<Tensor> RunProgramValues(const Program& program,
                                     const std::vector<Tensor>& inputs,
                                     const OperatorRunner& runner = RunByDefinition);

// Only the outputs; values are dropped after their last use.
std::vector<Tensor> RunProgram(const Program& program, const std::vector<Tensor>& inputs,
                               const OperatorRunner& runner = RunByDefinition);

// Runs a program with one input and one output over all rows of `inputs`, as many
// at a time as the program's input has; the last piece is filled up with its last row.
Tensor RunProgramOverRows(const Program& program, const Tensor& inputs,
                          const OperatorRunner& runner = RunByDefinition);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LOWER_RUN_PROGRAM_H_
