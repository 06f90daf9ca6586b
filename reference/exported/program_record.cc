#include "reference/exported/program_record.h"

#include <string>
#include <string_view>

#include "reference/formats/argument_json.h"
#include "reference/formats/sha256.h"

namespace qconform {
namespace {

ordered_json TensorValue(const TensorMetadata& metadata) {
  ordered_json shape = ordered_json::array();
  for (const Dimension& size : metadata.shape) {
    if (size.expression.empty()) {
      shape.push_back(size.value);
    } else {
      shape.push_back(size.expression);
    }
  }
  return {{"dtype", DTypeName(metadata.dtype)}, {"shape", std::move(shape)}};
}

ordered_json ValueRecord(const NodeMetadata& metadata) {
  switch (metadata.kind) {
    case ValueKind::kTensor:
      return TensorValue(metadata.tensors[0]);
    case ValueKind::kTuple: {
      ordered_json items = ordered_json::array();
      for (const TensorMetadata& tensor : metadata.tensors) {
        items.push_back(TensorValue(tensor));
      }
      return {{"tuple", std::move(items)}};
    }
    case ValueKind::kSymbol:
      return "symbol";
    default:
      return nullptr;
  }
}

ordered_json NodeRecord(const Node& node, const NodeMetadata& metadata) {
  ordered_json record;
  record["name"] = node.name();
  record["op"] = OpName(node.op());
  record["target"] = node.target();
  record["args"] = ordered_json::array();
  for (const Argument& argument : node.args()) {
    record["args"].push_back(ArgumentToJson(argument));
  }
  record["kwargs"] = ordered_json::object();
  for (const auto& [key, argument] : node.kwargs()) {
    record["kwargs"][key] = ArgumentToJson(argument);
  }
  record["stack"] = ordered_json::array();
  for (const ModuleFrame& frame : metadata.nn_module_stack) {
    record["stack"].push_back(ordered_json::array({frame.path, frame.type}));
  }
  record["source"] = ordered_json::array();
  for (const SourceFunction& source : metadata.source_fn_stack) {
    record["source"].push_back(ordered_json::array({source.name, source.type}));
  }
  record["torch_fn"] = nullptr;
  if (metadata.torch_fn) {
    record["torch_fn"] =
        ordered_json::array({metadata.torch_fn->name, metadata.torch_fn->function});
  }
  record["value"] = ValueRecord(metadata);
  record["users"] = ordered_json::array();
  for (const Node* user : node.users()) record["users"].push_back(user->name());
  return record;
}

const char* KindName(ProgramInputKind kind) {
  switch (kind) {
    case ProgramInputKind::kParameter:
      return "parameter";
    case ProgramInputKind::kBuffer:
      return "buffer";
    case ProgramInputKind::kConstantTensor:
      return "constant";
    default:
      return "input";
  }
}

}  // namespace

ordered_json ProgramRecord(const ExportedProgram& program) {
  ordered_json record;
  record["nodes"] = ordered_json::array();
  for (const Node& node : program.module.graph.nodes()) {
    record["nodes"].push_back(NodeRecord(node, program.MetadataOf(node)));
  }
  record["attributes"] = ordered_json::object();
  for (const ProgramInput& input : program.inputs) {
    if (input.kind == ProgramInputKind::kUserInput) continue;
    const Tensor& tensor = *program.module.FindTensor(input.target);
    record["attributes"][input.target] = {
        {"kind", KindName(input.kind)},
        {"node", input.node},
        {"dtype", DTypeName(tensor.dtype())},
        {"shape", tensor.shape()},
        {"sha256",
         Sha256Hex({reinterpret_cast<const char*>(tensor.bytes()), tensor.byte_size()})}};
  }
  record["symbols"] = ordered_json::object();
  for (const auto& [name, range] : program.symbols) {
    record["symbols"][name] = ordered_json::array({range.minimum, range.maximum});
  }
  return record;
}

}  // namespace qconform
