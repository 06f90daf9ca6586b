#include "reference/formats/graph_json.h"
#include "reference/formats/json_text.h"
#include "reference/formats/json_value.h"
#include "reference/formats/safetensors.h"
#include "reference/formats/sha256.h"
#include "reference/formats/write_file.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

using Members = ordered_json::object_t;

constexpr char kFormat[] = "qconform.graph/1";
// Wide enough for most nodes: a node a line.
constexpr int kLineWidth = 160;

// "a/x.graph.json" -> "x.safetensors"
std::string TensorFileName(const std::filesystem::path& path) {
  std::string name = path.filename().string();
  for (const std::string ending : {".graph.json", ".json"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) {
      name.resize(name.size() - ending.size());
      break;
    }
  }
  return name + ".safetensors";
}

OrderedMap<Tensor> ReadTensorFile(const std::filesystem::path& path,
                                  const ordered_json& value, const JsonFile& file) {
  RequireObject(value, "'tensors'", file);
  RequireOnlyKeys(value, "'tensors'", {"file", "sha256"}, file);
  const ordered_json& name_value = RequireMember(value, "file", file);
  const std::string& name = RequireString(name_value, "'file'", file);
  if (name.empty() || name == "." || name == ".." ||
      name.find('/') != std::string::npos || name.find('\0') != std::string::npos) {
    throw InputError(file.Where(name_value), "the tensor file is '" + name + "'",
                     "the name of a file in the same folder");
  }
  const std::filesystem::path tensor_path = path.parent_path() / name;
  const std::string bytes = ReadFileBytes(tensor_path);
  if (const ordered_json* digest = FindMember(value, "sha256")) {
    const std::string& expected = RequireString(*digest, "'sha256'", file);
    const std::string actual = Sha256Hex(bytes);
    if (actual != expected) {
      throw InputError(file.Where(*digest), name + " has the digest " + actual, expected);
    }
  }
  return ParseSafetensors(bytes, tensor_path.string());
}

}  // namespace

GraphModule ReadGraphFile(const std::filesystem::path& path) {
  const JsonFile file = JsonFile::Read(path);
  const ordered_json& root = RequireObject(file.root(), "a graph file", file);
  RequireOnlyKeys(root, "a graph file",
                  {"format", "about", "tensors", "type", "training", "graph", "modules",
                   "attrs", "node_scope"},
                  file);
  const ordered_json* format = FindMember(root, "format");
  if (format != nullptr && RequireString(*format, "'format'", file) != kFormat) {
    throw InputError(file.Where(*format), "the format is " + DescribeJson(*format),
                     std::string("\"") + kFormat + "\"");
  }
  OrderedMap<Tensor> tensors;
  GraphJsonOptions options;
  options.unknown_keys = UnknownKeys::kRefuse;
  const std::filesystem::path usual = path.parent_path() / TensorFileName(path);
  if (const ordered_json* value = FindMember(root, "tensors")) {
    tensors = ReadTensorFile(path, *value, file);
    options.named_tensors = &tensors;
  } else if (std::filesystem::exists(usual)) {
    tensors = ReadSafetensors(usual);
    options.named_tensors = &tensors;
  }
  return GraphModuleFromJson(root, file, options);
}

GraphFileContents GraphFileBytes(const GraphModule& module,
                                 const std::filesystem::path& path) {
  GraphFileContents contents;
  OrderedMap<Tensor> tensors;
  ordered_json body = GraphModuleToJson(module, &tensors);
  ordered_json root = ordered_json::object();
  root["format"] = kFormat;
  if (!tensors.empty()) {
    contents.tensor_file = TensorFileName(path);
    contents.tensors = SafetensorsBytes(tensors);
    root["tensors"] = {{"file", contents.tensor_file},
                       {"sha256", Sha256Hex(contents.tensors)}};
  }
  for (auto& [key, value] : body.get_ref<Members&>()) {
    AppendMember(root, key, std::move(value));
  }
  contents.graph = JsonText(root, kLineWidth);
  return contents;
}

OrderedMap<std::string> GraphFileBytes(const std::string& file_name,
                                       const GraphModule& module) {
  OrderedMap<std::string> files;
  OrderedMap<Tensor> tensors;
  ordered_json body = GraphModuleToJson(module, &tensors);
  ordered_json root = ordered_json::object();
  root["format"] = kFormat;
  if (!tensors.empty()) {
    std::string bytes = SafetensorsBytes(tensors);
    const std::string name = TensorFileName(file_name);
    root["tensors"] = {{"file", name}, {"sha256", Sha256Hex(bytes)}};
    files.Set(name, std::move(bytes));
  }
  for (auto& [key, value] : body.get_ref<Members&>()) {
    AppendMember(root, key, std::move(value));
  }
  files.Set(file_name, JsonText(root));
  return files;
}

void WriteGraphFile(const std::filesystem::path& path, const GraphModule& module) {
  for (const auto& [name, bytes] : GraphFileBytes(path.filename().string(), module)) {
    WriteFileAtomically(path.parent_path() / name, bytes);
  }
}

}  // namespace qconform
