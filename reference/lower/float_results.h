// What the reference graph itself computes, in float32, for each operator of a program.
#ifndef QCONFORM_REFERENCE_LOWER_FLOAT_RESULTS_H_
#define QCONFORM_REFERENCE_LOWER_FLOAT_RESULTS_H_

#include <vector>

#include "reference/ir/module.h"
#include "reference/ir/ordered_map.h"
#include "reference/ir/tensor.h"
#include "reference/lower/program.h"
#include "reference/ops/registry.h"

namespace qconform {

// By output value: the operator's nodes run by the interpreter on the dequantized
// inputs that `values` (one tensor a program value) holds. Conversions and operators
// that only move codes are left out. `samples` are the program's inputs. Throws
// InputError if the graph lacks a node that the program names.
OrderedMap<Tensor> FloatResults(const GraphModule& reference, const Program& program,
                                const std::vector<Tensor>& samples,
                                const std::vector<Tensor>& values,
                                const Registry& registry = Registry::BuiltIn());

// The tensors of the reference graph's outputs, in order.
std::vector<Tensor> RunGraph(const GraphModule& module, const std::vector<Tensor>& inputs,
                             const Registry& registry = Registry::BuiltIn());

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LOWER_FLOAT_RESULTS_H_
