#include <optional>
#include <vector>

#include "reference/formats/graph_json.h"
#include "reference/formats/graph_tensor_file.h"
#include "reference/formats/json_text.h"
#include "reference/formats/json_value.h"
#include "reference/formats/made_graph.h"
#include "reference/formats/safetensors.h"
#include "reference/formats/sha256.h"
#include "reference/formats/tensor_size.h"
#include "reference/formats/write_file.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

using Members = ordered_json::object_t;

constexpr char kFormat[] = "qconform.graph/1";

// The file beside `path` that "tensors" names.
std::filesystem::path NamedTensorFile(const std::filesystem::path& path,
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
  return path.parent_path() / name;
}

OrderedMap<Tensor> ReadTensorFile(const std::filesystem::path& path,
                                  const ordered_json& value, const JsonFile& file) {
  const std::filesystem::path tensor_path = NamedTensorFile(path, value, file);
  const std::string bytes = ReadFileBytes(tensor_path);
  if (const ordered_json* digest = FindMember(value, "sha256")) {
    const std::string& expected = RequireString(*digest, "'sha256'", file);
    const std::string actual = Sha256Hex(bytes);
    if (actual != expected) {
      throw InputError(file.Where(*digest),
                       tensor_path.filename().string() + " has the digest " + actual,
                       expected);
    }
  }
  return ParseSafetensors(bytes, tensor_path.string());
}

void CheckGraphFile(const JsonFile& file) {
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
}

// dtype and shape of {"dtype", "shape", "tensor"}; what is wrong with one of them, the
// reader of tensors says later.
std::optional<std::pair<DType, Shape>> NamedTensor(const ordered_json& value) {
  if (!IsTensorJson(value) || !value.at("dtype").is_string() ||
      !value.at("shape").is_array()) {
    return std::nullopt;
  }
  const ordered_json* name = FindMember(value, "tensor");
  const std::optional<DType> dtype = ParseDType(value.at("dtype").get<std::string>());
  if (name == nullptr || !name->is_string() || !dtype) return std::nullopt;
  Shape shape;
  for (const ordered_json& size : value.at("shape")) {
    if (!size.is_number_integer()) return std::nullopt;
    shape.push_back(size.get<int64_t>());
  }
  return std::pair(StorageDType(*dtype), shape);
}

OrderedMap<Tensor> MakeTensors(const JsonFile& file, const TensorMaker& make) {
  OrderedMap<Tensor> tensors;
  uint64_t bytes = 0;
  std::vector<const ordered_json*> open;
  for (const char* part : {"modules", "attrs"}) {
    if (const ordered_json* value = FindMember(file.root(), part)) open.push_back(value);
  }
  while (!open.empty()) {
    const ordered_json& value = *open.back();
    open.pop_back();
    if (const auto tensor = NamedTensor(value)) {
      const std::string& name = value.at("tensor").get_ref<const std::string&>();
      if (tensors.Contains(name)) continue;
      const auto& [dtype, shape] = *tensor;
      const std::optional<uint64_t> size = CheckedByteSize(shape, dtype);
      if (!size || *size > kMaxMadeBytes - bytes) {
        throw InputError(file.Where(value),
                         "'" + name + "' of shape " + ShapeText(shape) + " is too large",
                         std::to_string(kMaxMadeBytes) + " bytes of tensors at most");
      }
      bytes += *size;
      tensors.Set(name, make(name, dtype, shape));
    } else if (value.is_structured()) {
      for (const ordered_json& item : value) open.push_back(&item);
    }
  }
  return tensors;
}

// The graph with made tensors in the place of those that the file names.
GraphModule MadeGraph(const JsonFile& file, const TensorMaker& make) {
  const OrderedMap<Tensor> tensors = MakeTensors(file, make);
  GraphJsonOptions options;
  options.unknown_keys = UnknownKeys::kRefuse;
  options.named_tensors = &tensors;
  return GraphModuleFromJson(file.root(), file, options);
}

}  // namespace

bool LacksTensors(const std::filesystem::path& path) {
  const JsonFile file = JsonFile::Read(path);
  CheckGraphFile(file);
  const ordered_json* value = FindMember(file.root(), "tensors");
  const bool has_file = std::filesystem::exists(
      value != nullptr ? NamedTensorFile(path, *value, file) : GraphTensorFile(path));
  const auto nothing = [](const std::string&, DType dtype, const Shape&) {
    return Tensor(dtype, {0});
  };
  return !has_file && !MakeTensors(file, nothing).empty();
}

GraphModule ReadGraphFile(const std::filesystem::path& path) {
  const JsonFile file = JsonFile::Read(path);
  CheckGraphFile(file);
  OrderedMap<Tensor> tensors;
  GraphJsonOptions options;
  options.unknown_keys = UnknownKeys::kRefuse;
  const std::filesystem::path usual = GraphTensorFile(path);
  if (const ordered_json* value = FindMember(file.root(), "tensors")) {
    tensors = ReadTensorFile(path, *value, file);
    options.named_tensors = &tensors;
  } else if (std::filesystem::exists(usual)) {
    tensors = ReadSafetensors(usual);
    options.named_tensors = &tensors;
  }
  return GraphModuleFromJson(file.root(), file, options);
}

GraphModule ReadGraphFile(const std::filesystem::path& path, const TensorMaker& make) {
  const JsonFile file = JsonFile::Read(path);
  CheckGraphFile(file);
  if (const ordered_json* value = FindMember(file.root(), "tensors")) {
    throw InputError(file.Where(*value), "the graph has a tensor file",
                     "a graph without tensors, which are made");
  }
  return MadeGraph(file, make);
}

GraphModule ReadGraphShapes(const std::filesystem::path& path) {
  const JsonFile file = JsonFile::Read(path);
  CheckGraphFile(file);
  return MadeGraph(file, [](const std::string&, DType dtype, const Shape& shape) {
    return Tensor(dtype, shape);
  });
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
    const std::string name = GraphTensorFile(file_name).filename().string();
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
