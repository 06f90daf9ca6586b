#include "reference/config/dtype_config_json.h"

#include <array>
#include <string>
#include <vector>

#include "reference/config/literal_json.h"
#include "reference/config/torch_refusal.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

const std::vector<std::string> kConstraintKeys = {
    "dtype",
    "quant_min_lower_bound",
    "quant_max_upper_bound",
    "scale_min_lower_bound",
    "scale_max_upper_bound",
    "scale_exact_match",
    "zero_point_exact_match",
    "qscheme",
    "granularity",
    "channel_axis",
};
const std::vector<std::string> kDTypeConfigKeys = {
    "input_dtype", "output_dtype", "weight_dtype", "bias_dtype", "is_dynamic"};

void FindBeyondTorch(const ordered_json& value, const char* key, const JsonOrigin& origin,
                     ConfigFindings* findings) {
  if (findings == nullptr) return;
  findings->push_back(
      {origin.Of(value),
       "'" + std::string(key) + "' is beyond torch, which does not enforce it",
       "strict mode, which does"});
}

std::string DTypeText(DType dtype) { return "torch." + std::string(DTypeName(dtype)); }

DType DTypeFromJson(const ordered_json& json, const JsonOrigin& origin) {
  if (json.is_string()) {
    if (std::optional<DType> dtype = ParseDType(json.get<std::string>())) return *dtype;
  }
  throw InputError(origin.Of(json), "found " + DescribeJson(json), "the name of a dtype");
}

constexpr std::array<QSchemeConstraint, 2> kQSchemes = {QSchemeConstraint::kSymmetric,
                                                        QSchemeConstraint::kAffine};
constexpr std::array<Granularity, 2> kGranularities = {Granularity::kPerTensor,
                                                       Granularity::kPerChannel};

// One of two names; and a finding, because torch does not know the key.
template <typename T>
void ReadName(const ordered_json& json, const char* key, const std::array<T, 2>& values,
              const JsonOrigin& origin, ConfigFindings* findings,
              std::optional<T>& field) {
  const ordered_json* member = FindValue(json, key);
  if (member == nullptr) return;
  for (T value : values) {
    if (*member == Name(value)) field = value;
  }
  if (!field) {
    throw InputError(
        origin.Of(*member), "'" + std::string(key) + "' is " + DescribeJson(*member),
        std::string("\"") + Name(values[0]) + "\" or \"" + Name(values[1]) + "\"");
  }
  FindBeyondTorch(*member, key, origin, findings);
}

template <typename T>
void Read(const ordered_json& json, const char* key, const JsonOrigin& origin,
          std::optional<T>& field) {
  const ordered_json* member = FindValue(json, key);
  if (member == nullptr) return;
  if constexpr (std::is_same_v<T, double>) {
    field = RequireReal(*member, "'" + std::string(key) + "'", origin);
  } else {
    field = RequireInteger(*member, "'" + std::string(key) + "'", origin);
  }
}

template <typename T>
void Write(ordered_json& json, const char* key, const std::optional<T>& field) {
  if (field) json[key] = *field;
}

// torch keeps whatever stands here; who collects findings may go on as it does.
void ReadBias(const ordered_json& json, const JsonOrigin& origin,
              ConfigFindings* findings, DTypeConfig& config) {
  const bool is_name = json.is_string() && !json.get<std::string>().empty();
  if (findings == nullptr || !is_name || ParseDType(json.get<std::string>())) {
    config.bias_dtype = DTypeFromJson(json, origin);
    return;
  }
  config.unchecked_bias = json.get<std::string>();
  findings->push_back({origin.Of(json),
                       "'bias_dtype' is '" + config.unchecked_bias.substr(0, 80) +
                           "', which no bias has and torch does not check",
                       "the name of a dtype"});
}

// torch checks no more than the type of these values.
void RequireDType(const ordered_json& json, const char* key, const JsonOrigin& origin) {
  const bool is_dtype =
      json.is_string() && ParseDType(json.get<std::string>()).has_value();
  if (is_dtype || json.is_object()) return;
  throw TorchRefusal(
      origin.Of(json), "'" + std::string(key) + "' is " + DescribeJson(json),
      "the name of a dtype or a dtype with constraints", "ValueError",
      "Expected " + std::string(key) + " to be a torch.dtype or DTypeWithConstraints");
}

}  // namespace

const std::vector<std::string>& DTypeConfigKeys() { return kDTypeConfigKeys; }
const std::vector<std::string>& DTypeConstraintKeys() { return kConstraintKeys; }

ordered_json DTypeWithConstraintsToJson(const DTypeWithConstraints& dtype) {
  ordered_json json = ordered_json::object();
  if (dtype.dtype) json["dtype"] = DTypeText(*dtype.dtype);
  Write(json, "quant_min_lower_bound", dtype.quant_min_lower_bound);
  Write(json, "quant_max_upper_bound", dtype.quant_max_upper_bound);
  Write(json, "scale_min_lower_bound", dtype.scale_min_lower_bound);
  Write(json, "scale_max_upper_bound", dtype.scale_max_upper_bound);
  Write(json, "scale_exact_match", dtype.scale_exact_match);
  Write(json, "zero_point_exact_match", dtype.zero_point_exact_match);
  if (dtype.qscheme) json["qscheme"] = Name(*dtype.qscheme);
  if (dtype.granularity) json["granularity"] = Name(*dtype.granularity);
  Write(json, "channel_axis", dtype.channel_axis);
  return json;
}

DTypeWithConstraints DTypeWithConstraintsFromJson(const ordered_json& json,
                                                  const JsonOrigin& origin,
                                                  ConfigFindings* findings) {
  if (json.is_string()) return DTypeFromJson(json, origin);
  if (!json.is_object()) {
    throw InputError(origin.Of(json), "found " + DescribeJson(json),
                     "the name of a dtype or a dtype with constraints");
  }
  FindUnknownKeys(json, "a dtype with constraints", kConstraintKeys, origin, findings);
  DTypeWithConstraints result;
  if (const ordered_json* dtype = FindValue(json, "dtype")) {
    result.dtype = DTypeFromJson(*dtype, origin);
  }
  Read(json, "quant_min_lower_bound", origin, result.quant_min_lower_bound);
  Read(json, "quant_max_upper_bound", origin, result.quant_max_upper_bound);
  Read(json, "scale_min_lower_bound", origin, result.scale_min_lower_bound);
  Read(json, "scale_max_upper_bound", origin, result.scale_max_upper_bound);
  Read(json, "scale_exact_match", origin, result.scale_exact_match);
  Read(json, "zero_point_exact_match", origin, result.zero_point_exact_match);
  ReadName(json, "qscheme", kQSchemes, origin, findings, result.qscheme);
  ReadName(json, "granularity", kGranularities, origin, findings, result.granularity);
  Read(json, "channel_axis", origin, result.channel_axis);
  if (result.channel_axis) {
    FindBeyondTorch(json["channel_axis"], "channel_axis", origin, findings);
  }
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
  if (!config.unchecked_bias.empty()) json["bias_dtype"] = config.unchecked_bias;
  Write(json, "is_dynamic", config.is_dynamic);
  return json;
}

DTypeConfig DTypeConfigFromJson(const ordered_json& json, const JsonOrigin& origin,
                                ConfigFindings* findings) {
  RequireObject(json, "a dtype config", origin);
  FindUnknownKeys(json, "a dtype config", kDTypeConfigKeys, origin, findings);
  DTypeConfig config;
  const auto read = [&](const char* key, DTypeWithConstraints& dtype) {
    if (const ordered_json* member = FindValue(json, key)) {
      RequireDType(*member, key, origin);
      dtype = DTypeWithConstraintsFromJson(*member, origin, findings);
    }
  };
  read("input_dtype", config.input_dtype);
  read("output_dtype", config.output_dtype);
  read("weight_dtype", config.weight_dtype);
  if (const ordered_json* bias = FindValue(json, "bias_dtype")) {
    ReadBias(*bias, origin, findings, config);
  }
  if (const ordered_json* dynamic = FindValue(json, "is_dynamic")) {
    config.is_dynamic = RequireBoolean(*dynamic, "'is_dynamic'", origin);
  }
  return config;
}

}  // namespace qconform
