// Lowering: a reference (quantize / dequantize) graph becomes a Program.
#ifndef QCONFORM_REFERENCE_LOWER_LOWER_H_
#define QCONFORM_REFERENCE_LOWER_LOWER_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "reference/ir/module.h"
#include "reference/ir/tensor.h"
#include "reference/lower/program.h"
#include "reference/ops/registry.h"

namespace qconform {

struct LowerOptions {
  // The backend config's name; it decides how convolutions and linears round.
  std::string config = "x86";
  // By node of the reference graph: the config's pattern that it matched, as text.
  std::unordered_map<std::string, std::string> patterns;
  // With which the example inputs run.
  const Registry* registry = &Registry::BuiltIn();
};

// The requantization scheme in which `config` computes convolutions and linears:
// qnnpack, xnnpack and executorch round the bias to 32 bits first, the others add it
// in float32 (torch's QNNPACK and FBGEMM engines).
std::string AccumulatingScheme(const std::string& config);

// Lowers what convert made. dequantize -> operator (-> relu) -> quantize becomes one
// operator over codes wherever the ABI has such an operator; weights become int8
// constants, quantized as the reference module or graph says, and biases float32
// constants. All other nodes become float islands with the reason in words.
//
// Shapes are those that the example inputs (one a placeholder) give; integers that a
// graph computes from shapes become constants. Steps stand in graph order; the cost is
// linear in the graph. Throws InputError, naming the node, where the graph cannot be
// run or a value that is no tensor is computed from data.
Program Lower(const GraphModule& reference, const std::vector<Tensor>& example_inputs,
              const LowerOptions& options = {});

// Node counts of a program, for people.
struct LoweringSummary {
  int operators = 0;  // without quantize and dequantize
  int conversions = 0;
  int islands = 0;
  int island_nodes = 0;
};
LoweringSummary Summarize(const Program& program);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LOWER_LOWER_H_
