#include "reference/config/dtype_config_json.h"

#include "reference/config/literal_json.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

using nlohmann::ordered_json;

std::string DTypeText(DType dtype) { return "torch." + std::string(DTypeName(dtype)); }

DType DTypeFromJson(const ordered_json& json, const std::string& where) {
  if (json.is_string()) {
    if (std::optional<DType> dtype = ParseDType(json.get<std::string>())) return *dtype;
  }
  throw InputError(where, "found " + json.dump(), "the name of a dtype");
}

template <typename T>
void Read(const ordered_json& json, const char* key, const std::string& where,
          std::optional<T>& field) {
  const ordered_json* member = FindMember(json, key);
  if (member == nullptr) return;
  const bool right =
      std::is_same_v<T, double> ? member->is_number() : member->is_number_integer();
  if (!right) {
    throw InputError(where + "." + key, "found " + member->dump(),
                     std::is_same_v<T, double> ? "a number" : "an integer");
  }
  field = member->get<T>();
}

template <typename T>
void Write(ordered_json& json, const char* key, const std::optional<T>& field) {
  if (field) json[key] = *field;
}

}  // namespace

ordered_json DTypeWithConstraintsToJson(const DTypeWithConstraints& dtype) {
  ordered_json json = ordered_json::object();
  if (dtype.dtype) json["dtype"] = DTypeText(*dtype.dtype);
  Write(json, "quant_min_lower_bound", dtype.quant_min_lower_bound);
  Write(json, "quant_max_upper_bound", dtype.quant_max_upper_bound);
  Write(json, "scale_min_lower_bound", dtype.scale_min_lower_bound);
  Write(json, "scale_max_upper_bound", dtype.scale_max_upper_bound);
  Write(json, "scale_exact_match", dtype.scale_exact_match);
  Write(json, "zero_point_exact_match", dtype.zero_point_exact_match);
  return json;
}

DTypeWithConstraints DTypeWithConstraintsFromJson(const ordered_json& json,
                                                  const std::string& where) {
  if (json.is_string()) return DTypeFromJson(json, where);
  if (!json.is_object()) {
    throw InputError(where, "found " + json.dump(),
                     "the name of a dtype or a dtype with constraints");
  }
  DTypeWithConstraints result;
  if (const ordered_json* dtype = FindMember(json, "dtype")) {
    result.dtype = DTypeFromJson(*dtype, where + ".dtype");
  }
  Read(json, "quant_min_lower_bound", where, result.quant_min_lower_bound);
  Read(json, "quant_max_upper_bound", where, result.quant_max_upper_bound);
  Read(json, "scale_min_lower_bound", where, result.scale_min_lower_bound);
  Read(json, "scale_max_upper_bound", where, result.scale_max_upper_bound);
  Read(json, "scale_exact_match", where, result.scale_exact_match);
  Read(json, "zero_point_exact_match", where, result.zero_point_exact_match);
  return result;
}

ordered_json DTypeConfigToJson(const DTypeConfig& config) {
  ordered_json json = ordered_json::object();
  const auto write = [&json](const char* key, const DTypeWithConstraints& dtype) {
    if (dtype.dtype) json[key] = DTypeWithConstraintsToJson(dtype);
  };
  write("input_dtype", config.input_dtype);
  write("output_dtype", config.output_dtype);
  write("weight_dtype", config.weight_dtype);
  if (config.bias_dtype) json["bias_dtype"] = DTypeText(*config.bias_dtype);
  Write(json, "is_dynamic", config.is_dynamic);
  return json;
}

DTypeConfig DTypeConfigFromJson(const ordered_json& json, const std::string& where) {
  ExpectObject(json, where);
  DTypeConfig config;
  const auto read = [&](const char* key, DTypeWithConstraints& dtype) {
    if (const ordered_json* member = FindMember(json, key)) {
      dtype = DTypeWithConstraintsFromJson(*member, where + "." + key);
    }
  };
  read("input_dtype", config.input_dtype);
  read("output_dtype", config.output_dtype);
  read("weight_dtype", config.weight_dtype);
  if (const ordered_json* bias = FindMember(json, "bias_dtype")) {
    config.bias_dtype = DTypeFromJson(*bias, where + ".bias_dtype");
  }
  if (const ordered_json* dynamic = FindMember(json, "is_dynamic")) {
    if (!dynamic->is_boolean()) {
      throw InputError(where + ".is_dynamic", "found " + dynamic->dump(),
                       "true or false");
    }
    config.is_dynamic = dynamic->get<bool>();
  }
  return config;
}

}  // namespace qconform
