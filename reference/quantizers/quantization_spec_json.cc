#include "reference/quantizers/quantization_spec_json.h"

#include "reference/config/literal_json.h"
#include "reference/formats/json_value.h"
#include "reference/ir/error.h"
#include "reference/qconfig/qconfig_json.h"
#include "reference/quantizers/default_config.h"

namespace qconform {
namespace {

DType DTypeOf(const ordered_json& json, const JsonOrigin& origin) {
  const ordered_json& member = RequireMember(json, "dtype", origin);
  const std::string& name = RequireString(member, "'dtype'", origin);
  const std::string torch = "torch.";
  const std::optional<DType> dtype =
      ParseDType(name.starts_with(torch) ? name.substr(torch.size()) : name);
  if (!dtype) {
    throw InputError(origin.Of(member), "unknown dtype '" + name.substr(0, 80) + "'",
                     "\"torch.int8\" or another of torch's");
  }
  return *dtype;
}

std::optional<int64_t> IntegerOf(const ordered_json& json, const char* key,
                                 const JsonOrigin& origin) {
  const ordered_json* value = FindValue(json, key);
  if (value == nullptr) return std::nullopt;
  return RequireInteger(*value, std::string("'") + key + "'", origin);
}

bool FlagOf(const ordered_json& json, const char* key, const JsonOrigin& origin) {
  const ordered_json* value = FindValue(json, key);
  return value != nullptr && RequireBoolean(*value, std::string("'") + key + "'", origin);
}

std::optional<QScheme> QSchemeOf(const ordered_json& json, const JsonOrigin& origin) {
  const ordered_json* value = FindValue(json, "qscheme");
  if (value == nullptr) return std::nullopt;
  const std::string& name = RequireString(*value, "'qscheme'", origin);
  const std::optional<QScheme> qscheme = ParseQScheme(name);
  if (!qscheme) {
    throw InputError(origin.Of(*value), "unknown qscheme '" + name.substr(0, 80) + "'",
                     "\"torch.per_tensor_affine\" or another of torch's");
  }
  return qscheme;
}

// What all kinds with codes have.
template <typename Spec>
Spec CodesOf(const ordered_json& json, const JsonOrigin& origin) {
  Spec spec;
  spec.dtype = DTypeOf(json, origin);
  spec.quant_min = IntegerOf(json, "quant_min", origin);
  spec.quant_max = IntegerOf(json, "quant_max", origin);
  spec.qscheme = QSchemeOf(json, origin);
  spec.is_dynamic = FlagOf(json, "is_dynamic", origin);
  return spec;
}

AnyQuantizationSpec OwnSpec(const ordered_json& json, const JsonOrigin& origin) {
  RequireOnlyKeys(json, "a spec",
                  {"kind", "dtype", "quant_min", "quant_max", "qscheme", "ch_axis",
                   "is_dynamic", "observer"},
                  origin);
  auto spec = CodesOf<QuantizationSpec>(json, origin);
  spec.ch_axis = IntegerOf(json, "ch_axis", origin);
  spec.observer =
      ObserverConstructorFromJson(RequireMember(json, "observer", origin), origin);
  return spec;
}

AnyQuantizationSpec FixedSpec(const ordered_json& json, const JsonOrigin& origin) {
  RequireOnlyKeys(json, "a fixed spec",
                  {"kind", "dtype", "scale", "zero_point", "quant_min", "quant_max",
                   "qscheme", "is_dynamic"},
                  origin);
  auto spec = CodesOf<FixedQParamsQuantizationSpec>(json, origin);
  spec.scale = RequireReal(RequireMember(json, "scale", origin), "'scale'", origin);
  spec.zero_point =
      RequireInteger(RequireMember(json, "zero_point", origin), "'zero_point'", origin);
  return spec;
}

AnyQuantizationSpec DerivedSpec(const ordered_json& json, const JsonOrigin& origin) {
  RequireOnlyKeys(json, "a derived spec",
                  {"kind", "from", "function", "dtype", "quant_min", "quant_max",
                   "qscheme", "ch_axis", "is_dynamic"},
                  origin);
  auto spec = CodesOf<DerivedQuantizationSpec>(json, origin);
  spec.ch_axis = IntegerOf(json, "ch_axis", origin);
  spec.derive_function =
      RequireString(RequireMember(json, "function", origin), "'function'", origin);
  for (const ordered_json& place :
       RequireArray(RequireMember(json, "from", origin), "'from'", origin)) {
    spec.derived_from.push_back(PlaceFromJson(place, origin));
  }
  return spec;
}

AnyQuantizationSpec SharedSpec(const ordered_json& json, const JsonOrigin& origin) {
  RequireOnlyKeys(json, "a shared spec", {"kind", "with"}, origin);
  return SharedQuantizationSpec{
      PlaceFromJson(RequireMember(json, "with", origin), origin)};
}

QuantizationConfigPointer LiteralConfig(const ordered_json& json,
                                        const JsonOrigin& origin) {
  RequireOnlyKeys(json, "a config",
                  {"input_activation", "output_activation", "weight", "bias", "is_qat"},
                  origin);
  const auto spec = [&](const char* key) {
    const ordered_json* value = FindValue(json, key);
    return value == nullptr ? nullptr : QuantizationSpecFromJson(*value, origin);
  };
  auto config = std::make_shared<QuantizationConfig>();
  config->input_activation = spec("input_activation");
  config->output_activation = spec("output_activation");
  config->weight = spec("weight");
  config->bias = spec("bias");
  config->is_qat = FlagOf(json, "is_qat", origin);
  return config;
}

}  // namespace

EdgeOrNode PlaceFromJson(const ordered_json& json, const JsonOrigin& origin) {
  if (json.is_string()) return {"", json.get<std::string>()};
  if (json.is_array() && json.size() == 2) {
    return {RequireString(json[0], "the producer of an edge", origin),
            RequireString(json[1], "the consumer of an edge", origin)};
  }
  throw InputError(origin.Of(json), DescribeJson(json) + " is no place",
                   "a node's name or [PRODUCER, CONSUMER]");
}

QuantizationSpecPointer QuantizationSpecFromJson(const ordered_json& json,
                                                 const JsonOrigin& origin) {
  if (json.is_null()) return nullptr;
  RequireObject(json, "a spec", origin);
  const std::string kind = TextValue(json, "kind", origin);
  try {
    if (kind.empty() || kind == "spec") {
      return MakeSpec(std::get<QuantizationSpec>(OwnSpec(json, origin)));
    }
    if (kind == "fixed") {
      return MakeSpec(std::get<FixedQParamsQuantizationSpec>(FixedSpec(json, origin)));
    }
    if (kind == "derived") {
      return MakeSpec(std::get<DerivedQuantizationSpec>(DerivedSpec(json, origin)));
    }
    if (kind == "shared") {
      return std::make_shared<const AnyQuantizationSpec>(SharedSpec(json, origin));
    }
  } catch (const PipelineError& error) {
    throw InputError(origin.Of(json), error.what());
  }
  throw InputError(origin.Of(*FindValue(json, "kind")),
                   "unknown kind of spec '" + kind.substr(0, 80) + "'",
                   "spec, fixed, shared or derived");
}

QuantizationConfigPointer QuantizationConfigFromJson(const ordered_json& json,
                                                     const std::string& quantizer,
                                                     const JsonOrigin& origin) {
  if (json.is_null()) return nullptr;
  if (json == "linear_dynamic_fp16" && quantizer == "x86_inductor") {
    return X86InductorLinearDynamicFp16Config();
  }
  RequireObject(json, "a config", origin);
  for (const char* key : {"input_activation", "output_activation", "weight", "bias"}) {
    if (json.contains(key)) return LiteralConfig(json, origin);
  }
  const auto flag = [&](const char* key) { return FlagOf(json, key, origin); };
  const auto bound = [&](const char* key, int64_t fallback) {
    return IntegerOf(json, key, origin).value_or(fallback);
  };
  if (quantizer == "x86_inductor") {
    RequireOnlyKeys(json, "a config", {"is_qat", "is_dynamic", "reduce_range"}, origin);
    return DefaultX86InductorConfig({.is_qat = flag("is_qat"),
                                     .is_dynamic = flag("is_dynamic"),
                                     .reduce_range = flag("reduce_range")});
  }
  if (quantizer == "arm_inductor") {
    RequireOnlyKeys(json, "a config", {"is_qat", "is_dynamic"}, origin);
    return DefaultArmInductorConfig(
        {.is_qat = flag("is_qat"), .is_dynamic = flag("is_dynamic")});
  }
  RequireOnlyKeys(json, "a config",
                  {"is_per_channel", "is_qat", "is_dynamic", "act_qmin", "act_qmax",
                   "weight_qmin", "weight_qmax"},
                  origin);
  try {
    return SymmetricConfig({.is_per_channel = flag("is_per_channel"),
                            .is_qat = flag("is_qat"),
                            .is_dynamic = flag("is_dynamic"),
                            .act_qmin = bound("act_qmin", -128),
                            .act_qmax = bound("act_qmax", 127),
                            .weight_qmin = bound("weight_qmin", -127),
                            .weight_qmax = bound("weight_qmax", 127)});
  } catch (const PipelineError& error) {
    throw InputError(origin.Of(json), error.what());
  }
}

}  // namespace qconform
