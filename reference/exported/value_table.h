// The values of a serialized graph by name: what is said of each, and which node gives
// it.
#ifndef QCONFORM_REFERENCE_EXPORTED_VALUE_TABLE_H_
#define QCONFORM_REFERENCE_EXPORTED_VALUE_TABLE_H_

#include <string>
#include <string_view>
#include <unordered_map>

#include "reference/exported/exported_program.h"
#include "reference/formats/json_file.h"

namespace qconform {

class ValueTable {
 public:
  // `graph` is a serialized graph, which must outlive this. Throws InputError if it
  // describes no values.
  ValueTable(const ordered_json& graph, const JsonFile& file);

  // Throw InputError that names the value: Declare if it has a node already or nothing is
  // said of it, Find if it has none.
  void Declare(const std::string& value, Node* node, NodeMetadata& metadata,
               const std::string& where);
  Node* Find(const std::string& value, const std::string& where) const;
  // nullptr if no node gives the value.
  Node* FindOrNull(const std::string& value) const;

  // The example values of symbols that stand alone as a size.
  const std::unordered_map<std::string, int64_t>& hints() const { return hints_; }

 private:
  struct Description {
    const ordered_json* json = nullptr;
    bool is_tensor = false;
  };

  std::unordered_map<std::string_view, Description> descriptions_;
  std::unordered_map<std::string, Node*> nodes_;
  std::unordered_map<std::string, int64_t> hints_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPORTED_VALUE_TABLE_H_
