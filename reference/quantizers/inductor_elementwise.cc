// Matrix products and multiplications of two activations.
#include "reference/ir/error.h"
#include "reference/quantizers/inductor_pass.h"

namespace qconform {
namespace {

// Every argument is an input to quantize; torchao's class does not ask what it is.
void AnnotateAllInputs(InductorPass& pass, const Node& node, const std::string& recipe) {
  QuantizationAnnotation annotation;
  for (const Argument& argument : node.args()) {
    const Node* input = argument.AsNode();
    if (input != nullptr) annotation.SetInput(*input, InputActivationSpec(pass.config));
  }
  annotation.is_output_of_quantized_pattern = true;
  pass.Annotate(node, std::move(annotation), recipe);
}

bool HaveSameShape(const ExportedProgram& program, const Node& a, const Node& b) {
  return program.MetadataOf(a).tensors.front().shape ==
         program.MetadataOf(b).tensors.front().shape;
}

}  // namespace

void AnnotateMatmuls(InductorPass& pass) {
  for (const Node& node : pass.program.module.graph.nodes()) {
    if (node.target() != "aten.matmul.default" || pass.Skip({&node})) continue;
    if (pass.config == nullptr) {
      pass.LeaveInFloat({&node}, "matmul");
    } else {
      AnnotateAllInputs(pass, node, "matmul");
    }
  }
}

void AnnotateMultiplications(InductorPass& pass) {
  for (const Node& node : pass.program.module.graph.nodes()) {
    if (node.target() != "aten.mul.Tensor" || pass.Skip({&node})) continue;
    if (pass.config == nullptr) {
      pass.LeaveInFloat({&node}, "mul");
      continue;
    }
    if (node.args().size() != 2) {
      if (pass.mode == Mode::kStrict) continue;
      throw PipelineError("AssertionError", node.name() + " has " +
                                                std::to_string(node.args().size()) +
                                                " positional arguments and not 2");
    }
    const Node* inputs[] = {node.args()[0].AsNode(), node.args()[1].AsNode()};
    const auto is_tensor = [&](const Node* input) {
      return input != nullptr && pass.program.IsTensor(*input);
    };
    if (!is_tensor(inputs[0]) || !is_tensor(inputs[1])) {
      pass.ledger.NotReached(node, "an input is no tensor");
    } else if (!HaveSameShape(pass.program, *inputs[0], *inputs[1])) {
      pass.ledger.NotReached(node, "the shapes of its inputs " + inputs[0]->name() +
                                       " and " + inputs[1]->name() + " differ");
    } else {
      AnnotateAllInputs(pass, node, "mul");
    }
  }
}

}  // namespace qconform
