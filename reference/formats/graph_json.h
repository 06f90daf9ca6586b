// Graph modules in JSON, *.graph.json; reference/formats/graph.schema.json is the
// format, and oracle records hold the same members:
//   "graph"       the nodes in order: {"name", "op", "target", "args", "kwargs"}, "meta"
//   "modules"     by dotted path: {"type", "training", "attrs", "params", "buffers",
//                 "children"}; {"same_as": PATH} for a module that has a path already;
//                 one with a graph of its own: "type", "training" and the members here
//   "attrs"       parameters, buffers and other attributes that belong to no module of
//                 a type, by dotted path
//   "type", "training"  of the root module
//   "node_scope"  by node: [path, class or null] of the module whose forward made it
// Missing members are empty. A module's ModuleState is not part of the format. A file
// may also have "format": "qconform.graph/1"; "tensors": {"file", "sha256"}, the
// safetensors file beside it (x.safetensors by default); and, as its author likes,
// "about".
#ifndef QCONFORM_REFERENCE_FORMATS_GRAPH_JSON_H_
#define QCONFORM_REFERENCE_FORMATS_GRAPH_JSON_H_

#include <filesystem>
#include <functional>
#include <string>

#include "reference/formats/argument_json.h"
#include "reference/formats/json_file.h"
#include "reference/formats/module_json.h"
#include "reference/formats/tensor_json.h"
#include "reference/ir/module.h"

namespace qconform {

// kNames: names, references and order of the nodes. kAll: also that the modules and
// attributes that the nodes name exist (reference/ir/verify.h). Records of prepared
// graphs keep their observers elsewhere and hold only under kNames.
enum class Verification { kNames, kAll };

struct GraphJsonOptions {
  UnknownKeys unknown_keys = UnknownKeys::kIgnore;
  Verification verification = Verification::kAll;
  const OrderedMap<Tensor>* named_tensors = nullptr;
};

// Throws InputError at the offending value.
GraphModule GraphModuleFromJson(const ordered_json& value, const JsonOrigin& origin,
                                const GraphJsonOptions& options = {});
// All tensors inline if `named` is null; else the larger ones go there, their paths
// behind `prefix`.
ordered_json GraphModuleToJson(const GraphModule& module,
                               OrderedMap<Tensor>* named = nullptr,
                               const std::string& prefix = "");

// "x.graph.json" and, if it names one, the safetensors file beside it. Throws
// InputError "file:line: what is wrong, expected ...".
GraphModule ReadGraphFile(const std::filesystem::path& path);

// Writes x.graph.json and, if there are tensors of more than kMaxInlineElements,
// x.safetensors first. The same module gives the same bytes. Throws InputError if a
// file cannot be written.
void WriteGraphFile(const std::filesystem::path& path, const GraphModule& module);

// What WriteGraphFile writes: file name to bytes, the safetensors file first.
// `file_name` is that of the JSON.
OrderedMap<std::string> GraphFileBytes(const std::string& file_name,
                                       const GraphModule& module);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FORMATS_GRAPH_JSON_H_
