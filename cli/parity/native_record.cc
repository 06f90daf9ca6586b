#include "cli/parity/native_record.h"

#include "cli/parity/record_json.h"
#include "reference/formats/tensor_json.h"
#include "reference/ir/graph_state.h"

namespace qconform::parity {
namespace {

bool IsNative(const std::string& type) {
  const bool quantized = type.starts_with("torch.ao.nn.quantized.") ||
                         type.starts_with("torch.ao.nn.intrinsic.quantized.");
  return quantized && type.find(".reference.") == std::string::npos;
}

bool IsHalfPacked(const std::string& name) {
  return name == "weight" || name == "bias" || name.starts_with("weight_") ||
         name.starts_with("bias_");
}

// Takes the packed tensors out of a module's buffers.
ordered_json TakePacked(ordered_json& module) {
  ordered_json packed = ordered_json::object();
  ordered_json kept = ordered_json::object();
  for (const auto& [name, tensor] : module.at("buffers").items()) {
    (IsHalfPacked(name) ? packed : kept)[name] = tensor;
  }
  module["buffers"] = kept;
  return packed;
}

// What Python code reads as module.weight() and module.bias(). A PReLU's slope, the
// packed weights of recurrent modules and functional ones are out of its reach.
bool HasWeightMethod(const std::string& type) {
  for (const char* part : {".Linear", ".Conv", ".Embedding"}) {
    if (type.find(part) != std::string::npos && IsNative(type) &&
        !type.ends_with("PackedParams")) {
      return true;
    }
  }
  return false;
}

// Records hold the bytes of 4-bit codes as they lie in memory: two codes each, the first
// in the low half, one row after the other. torch counts whole bytes a row; with an odd
// number of columns those at the end belong to nobody.
ordered_json WithPackedCodes(const ordered_json& json) {
  if (!json.is_object() || json.value("dtype", "") != "quint4x2") return json;
  const Tensor codes = TensorFromJson(json, "qweight");
  const int64_t columns = codes.rank() == 0 ? 1 : codes.dim(codes.rank() - 1);
  const int64_t rows = columns == 0 ? 0 : codes.numel() / columns;
  Tensor bytes(DType::kUInt8, {rows * ((columns + 1) / 2)});
  for (int64_t i = 0; i < codes.numel(); ++i) {
    const int64_t shifted = codes.IntegerAt(i) << (i % 2 == 0 ? 0 : 4);
    bytes.data<uint8_t>()[i / 2] |= static_cast<uint8_t>(shifted);
  }
  ordered_json packed = json;
  const ordered_json plain = TensorToJson(bytes);
  for (const char* key : {"shape", "b64"}) packed[key] = plain.at(key);
  // Float qparams, which torch keeps in float32.
  for (const char* key : {"scales", "zero_points"}) {
    const Tensor wide = TensorFromJson(json.at(key), key);
    Tensor narrow(DType::kFloat32, wide.shape());
    for (int64_t i = 0; i < wide.numel(); ++i) {
      narrow.data<float>()[i] = static_cast<float>(wide.ValueAt(i));
    }
    packed[key] = TensorToJson(narrow);
  }
  return packed;
}

void TakeWeights(ordered_json& module) {
  const std::string type = module.at("type");
  ordered_json packed = ordered_json::object();
  if (IsNative(type)) packed = TakePacked(module);
  if (module.contains("children")) {
    for (auto& [name, child] : module["children"].items()) {
      if (name == "_packed_params") packed.update(TakePacked(child));
      TakeWeights(child);
    }
  }
  if (!HasWeightMethod(type)) return;
  module["qweight"] = WithPackedCodes(packed.at("weight"));
  if (packed.contains("bias")) module["bias"] = packed.at("bias");
}

void KeepRecordedAttributes(ordered_json& module, const ordered_json& want) {
  if (!want.is_object()) return;
  if (IsNative(module.at("type")) && want.contains("attrs")) {
    ordered_json kept = ordered_json::object();
    for (const auto& [name, value] : module.at("attrs").items()) {
      if (want.at("attrs").contains(name)) kept[name] = value;
    }
    module["attrs"] = kept;
    // torch could not unpack them.
    if (!want.contains("qweight")) {
      module.erase("qweight");
      module.erase("bias");
    }
  }
  if (!module.contains("children") || !want.contains("children")) return;
  for (auto& [name, child] : module["children"].items()) {
    if (want.at("children").contains(name)) {
      KeepRecordedAttributes(child, want.at("children").at(name));
    }
  }
}

void Normalize(ordered_json& module) {
  if (!module.is_object()) return;
  if (module.contains("qweight") && module.at("qweight").is_object() &&
      module.at("qweight").value("dtype", "") != "quint4x2") {
    module["qweight"] = TensorToJson(TensorFromJson(module.at("qweight"), "qweight"));
  }
  if (module.contains("bias") && module.at("bias").is_null()) module.erase("bias");
  for (const char* key : {"children", "modules"}) {
    if (!module.contains(key)) continue;
    for (auto& [name, child] : module[key].items()) Normalize(child);
  }
}

}  // namespace

ordered_json NativeModulesToRecord(const GraphModule& module, const ordered_json& want) {
  ordered_json modules = ModulesToRecord(module, true);
  for (auto& [name, entry] : modules.items()) {
    const ordered_json expected = want.value(name, ordered_json::object());
    if (const GraphModule* graph = SubgraphOf(*module.FindModule(name))) {
      entry["modules"] = NativeModulesToRecord(
          *graph, expected.value("modules", ordered_json::object()));
      entry["attrs"] = NativeAttributesToRecord(*graph);
      continue;
    }
    TakeWeights(entry);
    if (want.contains(name)) KeepRecordedAttributes(entry, expected);
  }
  return modules;
}

ordered_json NativeAttributesToRecord(const GraphModule& module) {
  ordered_json json = ordered_json::object();
  for (const Node& node : module.graph.nodes()) {
    if (node.op() != Op::kGetAttr) continue;
    if (const Tensor* tensor = module.FindTensor(node.target())) {
      json[node.target()] = TensorToJson(*tensor);
    } else if (module.FindModule(node.target())) {
      json[node.target()] = {{"o", "packed_params"}};
    }
  }
  return json;
}

ordered_json NormalizedModules(const ordered_json& want) {
  ordered_json modules = want;
  for (auto& [name, module] : modules.items()) Normalize(module);
  return modules;
}

}  // namespace qconform::parity
