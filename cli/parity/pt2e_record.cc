#include "cli/parity/pt2e_record.h"

#include "cli/parity/fx_record.h"
#include "reference/formats/graph_json.h"
#include "reference/formats/json_value.h"
#include "reference/ir/error.h"

namespace qconform::parity {
namespace {

std::vector<Value> Inputs(const ordered_json& json, const std::string& where) {
  std::vector<Value> values;
  for (const ordered_json& item : RequireArray(json, "a list of inputs", where)) {
    values.push_back(ValueFromJson(item, where));
  }
  return values;
}

// Records give shapes; floats are all that they quantize, and what else there is are
// attributes.
DType DTypeOf(const GraphModule& module, const Node& node) {
  const Tensor* tensor =
      node.op() == Op::kGetAttr ? module.FindTensor(node.target()) : nullptr;
  return tensor == nullptr ? DType::kFloat32 : tensor->dtype();
}

NodeMetadata MetadataFrom(const ordered_json& json, const GraphModule& module,
                          const Node& node) {
  NodeMetadata metadata;
  if (const ordered_json* stack = FindMember(json, "stack")) {
    for (const ordered_json& frame : *stack) {
      metadata.nn_module_stack.push_back(
          {frame.at(0).get<std::string>(), frame.at(1).get<std::string>()});
    }
  }
  if (const ordered_json* shape = FindMember(json, "shape")) {
    metadata.kind = ValueKind::kTensor;
    TensorMetadata tensor;
    tensor.dtype = DTypeOf(module, node);
    for (const ordered_json& size : *shape) {
      // A symbolic size is text.
      tensor.shape.push_back(size.is_string() ? Dimension{0, size.get<std::string>()}
                                              : Dimension{size.get<int64_t>(), ""});
    }
    metadata.tensors = {tensor};
  }
  return metadata;
}

}  // namespace

Pt2eRecord Pt2eRecordFromJson(const ordered_json& json, const std::string& where) {
  Pt2eRecord record;
  record.name = RequireString(RequireMember(json, "name", where), "name", where);
  record.is_qat = json.value("kind", "") == "pt2e_qat";
  for (const ordered_json& batch :
       RequireArray(RequireMember(json, "calibration_inputs", where),
                    "calibration_inputs", where)) {
    record.calibration_inputs.push_back(Inputs(batch, where + ": calibration_inputs"));
  }
  record.test_input =
      Inputs(RequireMember(json, "test_input", where), where + ": test_input");
  return record;
}

ExportedProgram ProgramFromRecord(const ordered_json& json, const std::string& where) {
  const ordered_json& source = RequireMember(json, "float", where);
  ExportedProgram program;
  GraphJsonOptions options;
  // The module that checks the inputs is not recorded.
  options.verification = Verification::kNames;
  program.module = GraphModuleFromJson(source, where + ": float", options);
  program.strict = json.value("export_strict", false);
  GraphModule& module = program.module;
  for (const ordered_json& node_json : source.at("graph")) {
    const Node* node = module.graph.Find(node_json.at("name").get<std::string>());
    program.metadata[node->name()] = MetadataFrom(node_json, module, *node);
    if (node->op() == Op::kCallModule && module.ModuleAt(node->target()) == nullptr) {
      auto guards = std::make_shared<Module>();
      guards->type = "torch.export._unlift.GuardsFn";
      module.SetModule(node->target(), guards);
    }
    if (node->op() == Op::kPlaceholder) {
      program.inputs.push_back({ProgramInputKind::kUserInput, node->name(), ""});
    }
  }
  return program;
}

}  // namespace qconform::parity
