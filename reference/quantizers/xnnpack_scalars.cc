// Numbers as tensors, so that they can be observed.
#include "reference/ir/error.h"
#include "reference/quantizers/xnnpack_pass.h"

namespace qconform {
namespace {

double NumberOf(const Node& node, const Argument& argument) {
  if (const auto* real = argument.As<double>()) return *real;
  if (const auto* integer = argument.As<int64_t>()) return static_cast<double>(*integer);
  if (const auto* boolean = argument.As<bool>()) return *boolean ? 1.0 : 0.0;
  throw PipelineError(
      "TypeError", "an argument of " + node.name() + " is neither a node nor a number");
}

bool IsTaken(const Module& root, const std::string& name) {
  return root.parameters.Contains(name) || root.buffers.Contains(name) ||
         root.children.Contains(name) || root.attributes.Contains(name);
}

}  // namespace

void ConvertScalarsToAttributes(ExportedProgram& program) {
  int64_t next = 0;
  for (Node* node : program.module.graph.NodePointers()) {
    if (!CallsOneOf(*node, {"aten.add.Tensor", "aten.mul.Tensor"})) continue;
    std::vector<Argument> args = node->args();
    bool changed = false;
    for (Argument& argument : args) {
      if (argument.AsNode() != nullptr) continue;
      const auto value = static_cast<float>(NumberOf(*node, argument));
      std::string name;
      do {
        name = "_tensor_constant_" + std::to_string(next++);
      } while (IsTaken(*program.module.root, name));
      program.module.SetBuffer(name,
                               Tensor::FromVector<float>(DType::kFloat32, {}, {value}));
      Node* constant = program.module.graph.InsertBefore(node, Op::kGetAttr, name);
      NodeMetadata& metadata = program.MutableMetadataOf(*constant);
      metadata.kind = ValueKind::kTensor;
      metadata.tensors = {TensorMetadata{DType::kFloat32, {}}};
      program.inputs.push_back({ProgramInputKind::kBuffer, constant->name(), name, true});
      argument = Argument(constant);
      changed = true;
    }
    if (changed) node->set_args(std::move(args));
  }
}

}  // namespace qconform
