#include "reference/exported/node_metadata_json.h"

#include <string_view>
#include <vector>

#include "reference/config/canonical_name.h"
#include "reference/formats/json_value.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  size_t start = 0;
  while (true) {
    const size_t end = text.find(separator, start);
    parts.push_back(text.substr(start, end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

// At commas that stand in no brackets: a path may hold an index like layers[(0, 1)].
std::vector<std::string_view> SplitOutsideBrackets(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[' || text[i] == '(') ++depth;
    if (text[i] == ']' || text[i] == ')') --depth;
    if (text[i] == ',' && depth == 0) {
      parts.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  parts.push_back(text.substr(start));
  return parts;
}

class Reader {
 public:
  Reader(const ordered_json& value, const JsonOrigin& origin)
      : value_(value), origin_(origin) {
    RequireObject(value, "'metadata'", origin);
  }

  NodeMetadata Read() const {
    NodeMetadata metadata;
    if (const std::string* text = Text("stack_trace")) metadata.stack_trace = *text;
    if (const std::string* text = Text("nn_module_stack")) {
      metadata.nn_module_stack = ModuleStack(*text);
    }
    if (const std::string* text = Text("source_fn_stack")) {
      metadata.source_fn_stack = SourceFunctions(*text);
    }
    if (const std::string* text = Text("torch_fn")) {
      const std::vector<std::string_view> parts = Split(*text, ';');
      if (parts.size() != 2) Refuse("torch_fn", *text, "a name and a function");
      metadata.torch_fn = TorchFunction{std::string(parts[0]), std::string(parts[1])};
    }
    return metadata;
  }

 private:
  // nullptr if absent or empty.
  const std::string* Text(const char* key) const {
    const ordered_json* text = FindMember(value_, key);
    if (text == nullptr || text->is_null()) return nullptr;
    const std::string& content = RequireString(*text, key, origin_);
    return content.empty() ? nullptr : &content;
  }

  [[noreturn]] void Refuse(const char* key, const std::string& text,
                           const char* expected) const {
    throw InputError(origin_.Of(value_),
                     std::string(key) + " is " + DescribeJson(ordered_json(text)),
                     expected);
  }

  // A Python dict: a module that is entered again under one key keeps its first place.
  std::vector<ModuleFrame> ModuleStack(const std::string& text) const {
    OrderedMap<ModuleFrame> frames;
    for (const std::string_view item : Split(text, ';')) {
      const std::vector<std::string_view> parts = SplitOutsideBrackets(item);
      if (parts.size() != 3) Refuse("nn_module_stack", text, "key,path,class;...");
      frames.Set(parts[0], {std::string(parts[1]), std::string(parts[2])});
    }
    std::vector<ModuleFrame> stack;
    for (auto& [key, frame] : frames) stack.push_back(std::move(frame));
    return stack;
  }

  std::vector<SourceFunction> SourceFunctions(const std::string& text) const {
    std::vector<SourceFunction> stack;
    for (const std::string_view item : Split(text, ';')) {
      const std::vector<std::string_view> parts = Split(item, ',');
      if (parts.size() != 2) Refuse("source_fn_stack", text, "name,function;...");
      std::string type(parts[1]);
      if (type.starts_with("_operator.")) type.erase(0, 1);
      stack.push_back({std::string(parts[0]), CanonicalName(type)});
    }
    return stack;
  }

  const ordered_json& value_;
  const JsonOrigin& origin_;
};

}  // namespace

NodeMetadata NodeMetadataFromJson(const ordered_json& value, const JsonOrigin& origin) {
  return Reader(value, origin).Read();
}

}  // namespace qconform
