#include "reference/exported/value_table.h"

#include "reference/exported/quoted_text.h"
#include "reference/exported/tensor_shape_json.h"
#include "reference/formats/json_value.h"
#include "reference/ir/error.h"

namespace qconform {

ValueTable::ValueTable(const ordered_json& graph, const JsonFile& file) {
  for (const char* part :
       {"tensor_values", "sym_int_values", "sym_bool_values", "sym_float_values"}) {
    const ordered_json* values = FindMember(graph, part);
    if (values == nullptr) continue;
    RequireObject(*values, part, file);
    for (const auto& [name, value] : values->get_ref<const ordered_json::object_t&>()) {
      const bool is_tensor = std::string_view(part) == "tensor_values";
      if (!descriptions_.emplace(name, Description{&value, is_tensor}).second) {
        throw InputError(file.name(), "the value " + Quoted(name) + " is described twice",
                         "each value once");
      }
    }
  }
}

void ValueTable::Declare(const std::string& value, Node* node, NodeMetadata& metadata,
                         const std::string& where) {
  const auto found = descriptions_.find(value);
  if (found == descriptions_.end()) {
    throw InputError(where, "nothing is said of the value " + Quoted(value),
                     "its dtype and shape in 'tensor_values'");
  }
  if (!nodes_.emplace(value, node).second) {
    throw InputError(where, "the value " + Quoted(value) + " has a node already",
                     "one node for each value");
  }
  if (!found->second.is_tensor) {
    metadata.kind = ValueKind::kSymbol;
    return;
  }
  const JsonOrigin origin(where + ": value " + Quoted(value));
  metadata.kind = ValueKind::kTensor;
  metadata.tensors = {TensorMetadataFromJson(*found->second.json, origin)};
  for (const Dimension& size : metadata.tensors[0].shape) {
    if (!size.expression.empty()) hints_.emplace(size.expression, size.value);
  }
}

Node* ValueTable::Find(const std::string& value, const std::string& where) const {
  Node* node = FindOrNull(value);
  if (node == nullptr) {
    throw InputError(where, "no node gives the value " + Quoted(value) + " before",
                     "the value of an input or of an earlier node");
  }
  return node;
}

Node* ValueTable::FindOrNull(const std::string& value) const {
  const auto found = nodes_.find(value);
  return found == nodes_.end() ? nullptr : found->second;
}

}  // namespace qconform
