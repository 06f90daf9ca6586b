// What torch.export gives: a graph of ATen operators, the parameters and buffers that it
// reads, and where each node came from. (torch.export.ExportedProgram, after .module())
#ifndef QCONFORM_REFERENCE_EXPORTED_EXPORTED_PROGRAM_H_
#define QCONFORM_REFERENCE_EXPORTED_EXPORTED_PROGRAM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "reference/ir/dtype.h"
#include "reference/ir/module.h"
#include "reference/ir/ordered_map.h"

namespace qconform {

// A module that was being called when the node was made: its path ("" for the root) and
// the full Python name of its class, "torch.nn.modules.conv.Conv2d".
struct ModuleFrame {
  std::string path;
  std::string type;
  bool operator==(const ModuleFrame&) const = default;
};

// An entry of source_fn_stack (strict exports): a name that differs from call to call,
// and what was called: a module class ("torch.nn.modules.conv.Conv2d") or a function
// ("torch.nn.functional.relu", "operator.add").
struct SourceFunction {
  std::string name;
  std::string type;
  bool operator==(const SourceFunction&) const = default;
};

// torch_fn (non-strict exports): ("linear_1", "builtin_function_or_method.linear").
struct TorchFunction {
  std::string name;
  std::string function;
  bool operator==(const TorchFunction&) const = default;
};

// A size: a number, or an expression over the program's symbols with an example value.
struct Dimension {
  int64_t value = 0;
  // sympy's text, "s0" or "2*s0 + 1"; empty for a plain number.
  std::string expression;
  bool operator==(const Dimension&) const = default;
};

struct TensorMetadata {
  DType dtype = DType::kFloat32;
  std::vector<Dimension> shape;
  bool operator==(const TensorMetadata&) const = default;
};

// meta["val"]: what kind of value a node has. kUnknown where there is none recorded.
enum class ValueKind { kUnknown, kTensor, kTuple, kSymbol, kNone };

struct NodeMetadata {
  // Outermost first. Empty for placeholders and get_attr nodes.
  std::vector<ModuleFrame> nn_module_stack;
  std::vector<SourceFunction> source_fn_stack;
  std::optional<TorchFunction> torch_fn;
  ValueKind kind = ValueKind::kUnknown;
  // One for kTensor, the elements for kTuple (those that are no tensors left out).
  std::vector<TensorMetadata> tensors;
  std::string stack_trace;
  // "quantization_tag" of a user's pass.
  std::string quantization_tag;
};

enum class ProgramInputKind { kUserInput, kParameter, kBuffer, kConstantTensor };

// An input of the program by the node that reads it.
struct ProgramInput {
  ProgramInputKind kind = ProgramInputKind::kUserInput;
  std::string node;
  // The attribute path of what is no user input.
  std::string target;
  // Only buffers: whether it is saved with the weights.
  bool persistent = true;
};

// What a symbol of a dynamic size may be.
struct SymbolRange {
  int64_t minimum = 0;
  int64_t maximum = 0;
  int64_t hint = 0;
};

// Everything about nodes is kept by their names, which a graph gives away once only: a
// node that goes leaves nothing that a later one could inherit.
struct ExportedProgram {
  // Targets are "aten.conv2d.default", "operator.getitem"; parameters and buffers stand
  // in the module tree at their attribute paths and are read by get_attr nodes.
  GraphModule module;
  std::unordered_map<std::string, NodeMetadata> metadata;
  std::vector<ProgramInput> inputs;
  OrderedMap<SymbolRange> symbols;
  // torch.export.export(..., strict=True).
  bool strict = false;

  // Empty metadata for a node without.
  const NodeMetadata& MetadataOf(const Node& node) const;
  NodeMetadata& MutableMetadataOf(const Node& node) { return metadata[node.name()]; }
  // Whether meta["val"] is one tensor.
  bool IsTensor(const Node& node) const {
    return MetadataOf(node).kind == ValueKind::kTensor;
  }

  // Independent of this one, nodes under the same names.
  ExportedProgram Clone() const;
  // The same, but parameters' storage is shared.
  ExportedProgram CloneSharingParameters() const;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPORTED_EXPORTED_PROGRAM_H_
