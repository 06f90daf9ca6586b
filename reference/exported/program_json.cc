#include "reference/exported/program_json.h"

#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "reference/exported/lifted_graph.h"
#include "reference/exported/quoted_text.h"
#include "reference/exported/signature_json.h"
#include "reference/exported/unlift.h"
#include "reference/exported/value_table.h"
#include "reference/formats/json_value.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr int64_t kSchemaMajor = 8;

void CheckVersion(const JsonFile& file) {
  const ordered_json& version = RequireMember(file.root(), "schema_version", file);
  const ordered_json& major = RequireMember(version, "major", file);
  if (RequireInteger(major, "'major'", file) != kSchemaMajor) {
    throw InputError(file.name(), "the schema version is " + DescribeJson(major),
                     std::to_string(kSchemaMajor) + ", as torch 2.14 writes");
  }
}

// As torch.export.export gives it, not decomposed.
bool IsTrainingDialect(const JsonFile& file) {
  const ordered_json* verifiers = FindMember(file.root(), "verifiers");
  return verifiers != nullptr && verifiers->is_array() && !verifiers->empty() &&
         (*verifiers)[0] == "TRAINING";
}

// The module that holds the attribute, made with its parents where it is not there.
Module& OwnerOf(const std::string& path, const std::string& where,
                ExportedProgram& program) {
  constexpr int kMostModules = 64;
  Module* module = program.module.root.get();
  size_t start = 0;
  int depth = 0;
  while (true) {
    const size_t dot = path.find('.', start);
    const std::string part = path.substr(start, dot - start);
    if (part.empty() || ++depth > kMostModules) {
      throw InputError(where, "the attribute path is " + Quoted(path),
                       "names with single dots between, at most 64");
    }
    if (dot == std::string::npos) return *module;
    std::shared_ptr<Module>& child = module->children[part];
    if (child == nullptr) {
      child = std::make_shared<Module>();
      child->type = "torch.nn.Module";
    }
    module = child.get();
    start = dot + 1;
  }
}

std::string MetadataText(const TensorMetadata& metadata) {
  Shape shape;
  for (const Dimension& size : metadata.shape) shape.push_back(size.value);
  return std::string(DTypeName(metadata.dtype)) + ShapeText(shape);
}

void PlaceTensor(const ProgramInput& input, const ProgramTensors& tensors,
                 const std::string& where, ExportedProgram& program) {
  const bool is_weight = input.kind == ProgramInputKind::kParameter ||
                         (input.kind == ProgramInputKind::kBuffer && input.persistent);
  const Tensor* tensor =
      (is_weight ? tensors.weights : tensors.constants).Find(input.target);
  const NodeMetadata& metadata = program.metadata[input.node];
  if (tensor == nullptr || metadata.kind != ValueKind::kTensor) {
    throw InputError(where, Quoted(input.target) + " has no tensor",
                     is_weight ? "one in data/weights" : "one in data/constants");
  }
  Shape shape;
  for (const Dimension& size : metadata.tensors[0].shape) shape.push_back(size.value);
  if (shape != tensor->shape() || metadata.tensors[0].dtype != tensor->dtype()) {
    throw InputError(where,
                     Quoted(input.target) + " is " +
                         std::string(DTypeName(tensor->dtype())) +
                         ShapeText(tensor->shape()),
                     MetadataText(metadata.tensors[0]) + " as the graph says");
  }
  Module& owner = OwnerOf(input.target, where, program);
  const std::string name = input.target.substr(input.target.rfind('.') + 1);
  auto& table =
      input.kind == ProgramInputKind::kParameter ? owner.parameters : owner.buffers;
  table.Set(name, *tensor);
}

void ReadSymbols(const JsonFile& file, const ValueTable& values,
                 ExportedProgram& program) {
  const ordered_json* ranges = FindMember(file.root(), "range_constraints");
  if (ranges == nullptr) return;
  RequireObject(*ranges, "'range_constraints'", file);
  const auto bound = [&](const ordered_json& range, const char* key, int64_t open) {
    const ordered_json& value = RequireMember(range, key, file);
    return value.is_null() ? open : RequireInteger(value, key, file);
  };
  for (const auto& [name, range] : ranges->get_ref<const ordered_json::object_t&>()) {
    SymbolRange symbol;
    symbol.minimum = bound(range, "min_val", std::numeric_limits<int64_t>::min());
    symbol.maximum = bound(range, "max_val", std::numeric_limits<int64_t>::max());
    if (symbol.minimum > symbol.maximum) {
      throw InputError(file.name(),
                       "the range of the symbol " + Quoted(name) + " is empty",
                       "min_val <= max_val");
    }
    const auto hint = values.hints().find(name);
    if (hint != values.hints().end()) symbol.hint = hint->second;
    program.symbols.Set(name, symbol);
  }
}

}  // namespace

ExportedProgram ExportedProgramFromJson(const JsonFile& file,
                                        const ProgramTensors& tensors, bool guarded) {
  RequireObject(file.root(), "a program", file);
  CheckVersion(file);
  const ordered_json& module = RequireMember(file.root(), "graph_module", file);
  const ordered_json& graph = RequireMember(module, "graph", file);
  const JsonOrigin signature_origin(file.name() + ": the signature");
  GraphSignature signature =
      GraphSignatureFromJson(RequireMember(module, "signature", file), signature_origin);
  RequireObject(graph, "the graph", file);
  ValueTable values(graph, file);
  ExportedProgram program;
  program.module.root->type = "torch.nn.Module";
  ReadLiftedGraph(graph, file, values, signature, program);
  for (const ProgramInput& input : signature.inputs) {
    if (input.kind == ProgramInputKind::kUserInput) continue;
    PlaceTensor(input, tensors, file.name(), program);
  }
  if (!IsTrainingDialect(file)) EraseUnusedNodes(program);
  Unlift(signature, file.name(), program);
  if (guarded) AddGuardsCall(program);
  ReadSymbols(file, values, program);
  return program;
}

}  // namespace qconform
