#include "reference/quantizers/quantizer_json.h"

#include <algorithm>
#include <functional>

#include "reference/config/literal_json.h"
#include "reference/formats/json_value.h"
#include "reference/ir/error.h"
#include "reference/ir/nearest_name.h"
#include "reference/quantizers/composable_quantizer.h"
#include "reference/quantizers/embedding_quantizer.h"
#include "reference/quantizers/inductor_quantizer.h"
#include "reference/quantizers/quantization_spec_json.h"
#include "reference/quantizers/rule_quantizer_json.h"
#include "reference/quantizers/xnnpack_quantizer.h"

namespace qconform {
namespace {

// One entry of "settings".
struct Call {
  std::string method;
  const ordered_json& json;
  const JsonOrigin& origin;
  std::string quantizer;

  const std::string& Text(const char* key) const {
    return RequireString(RequireMember(json, key, origin), std::string("'") + key + "'",
                         origin);
  }
  QuantizationConfigPointer Config() const {
    return QuantizationConfigFromJson(RequireMember(json, "config", origin), quantizer,
                                      origin);
  }
  // A setting of a typing error would be lost without a word.
  void RequireKeys(const char* subject) const {
    if (*subject == '\0') {
      RequireOnlyKeys(json, "a setting", {"call", "config"}, origin);
    } else {
      RequireOnlyKeys(json, "a setting", {"call", subject, "config"}, origin);
    }
  }
};

[[noreturn]] void RefuseCall(const Call& call, const std::vector<std::string>& known) {
  throw InputError(
      call.origin.Of(RequireMember(call.json, "call", call.origin)),
      call.quantizer + " has no '" + call.method.substr(0, 80) + "'" +
          NearestNameHint(call.method, known),
      "one of " + [&] {
        std::string all;
        for (const std::string& name : known) {
          all += (all.empty() ? "" : ", ") + name;
        }
        return all;
      }());
}

void Apply(InductorQuantizer& quantizer, const Call& call) {
  if (call.method == "set_global") {
    call.RequireKeys("");
    quantizer.SetGlobal(call.Config());
  } else if (call.method == "set_module_name_qconfig") {
    call.RequireKeys("name");
    quantizer.SetModuleName(call.Text("name"), call.Config());
  } else if (call.method == "set_module_type_qconfig") {
    call.RequireKeys("type");
    quantizer.SetModuleType(call.Text("type"), call.Config());
  } else if (call.method == "set_function_type_qconfig") {
    call.RequireKeys("type");
    quantizer.SetFunctionType(call.Text("type"), call.Config());
  } else if (call.method == "_set_aten_operator_qconfig") {
    call.RequireKeys("type");
    quantizer.SetOperator(call.Text("type"), call.Config());
  } else {
    RefuseCall(call, {"set_global", "set_module_name_qconfig", "set_module_type_qconfig",
                      "set_function_type_qconfig", "_set_aten_operator_qconfig"});
  }
}

std::vector<std::string> TextsOf(const Call& call, const char* key) {
  std::vector<std::string> texts;
  const ordered_json* list = FindValue(call.json, key);
  if (list == nullptr) return texts;
  for (const ordered_json& item : RequireArray(*list, key, call.origin)) {
    texts.push_back(RequireString(item, key, call.origin));
  }
  return texts;
}

// What is named stays in float.
XnnpackQuantizer::ProgramFilter FilterOf(const Call& call) {
  RequireOnlyKeys(call.json, "a filter", {"call", "modules", "module_types", "operators"},
                  call.origin);
  return [modules = TextsOf(call, "modules"), types = TextsOf(call, "module_types"),
          operators = TextsOf(call, "operators")](const ExportedProgram& program,
                                                  const Node& node) {
    const auto in_module = [&](const std::string& name) {
      return InModuleOfName(program, name)(node);
    };
    const auto of_type = [&](const std::string& type) {
      return InModuleOfType(program, type)(node);
    };
    return std::none_of(modules.begin(), modules.end(), in_module) &&
           std::none_of(types.begin(), types.end(), of_type) &&
           std::find(operators.begin(), operators.end(), node.target()) ==
               operators.end();
  };
}

void Apply(XnnpackQuantizer& quantizer, const Call& call) {
  if (call.method == "set_global") {
    call.RequireKeys("");
    quantizer.SetGlobal(call.Config());
  } else if (call.method == "set_module_name") {
    call.RequireKeys("name");
    quantizer.SetModuleName(call.Text("name"), call.Config());
  } else if (call.method == "set_module_type") {
    call.RequireKeys("type");
    quantizer.SetModuleType(call.Text("type"), call.Config());
  } else if (call.method == "set_operator_type") {
    call.RequireKeys("type");
    quantizer.SetOperatorType(call.Text("type"), call.Config());
  } else if (call.method == "set_filter_function") {
    quantizer.SetFilterFunction(FilterOf(call));
  } else {
    RefuseCall(call, {"set_global", "set_module_name", "set_module_type",
                      "set_operator_type", "set_filter_function"});
  }
}

template <typename Kind>
std::shared_ptr<AccountingQuantizer> WithSettings(std::shared_ptr<Kind> quantizer,
                                                  const std::string& name,
                                                  const ordered_json& json,
                                                  const JsonOrigin& origin) {
  for (const ordered_json& setting :
       RequireArray(*FindValue(json, "settings"), "'settings'", origin)) {
    RequireObject(setting, "a setting", origin);
    const std::string method = TextValue(setting, "call", origin);
    if (method.empty()) {
      throw InputError(origin.Of(setting), "the setting calls nothing",
                       "{\"call\": \"set_global\", \"config\": {}}");
    }
    Apply(*quantizer, Call{method, setting, origin, name});
  }
  return quantizer;
}

}  // namespace

const std::vector<std::string>& QuantizerNames() {
  static const std::vector<std::string> names = {"arm_inductor", "embedding",
                                                 "x86_inductor", "xnnpack"};
  return names;
}

std::shared_ptr<AccountingQuantizer> QuantizerByName(
    const std::string& name, Mode mode, const DefaultQuantizerOptions& options) {
  const ordered_json config = {{"is_qat", options.is_qat},
                               {"is_dynamic", options.is_dynamic}};
  ordered_json json = {{"quantizer", name}};
  if (name != "embedding") {
    json["settings"] = {{{"call", "set_global"}, {"config", config}}};
  }
  return QuantizerFromJson(json, "--quantizer", mode);
}

std::shared_ptr<AccountingQuantizer> QuantizerFromJson(const ordered_json& json,
                                                       const JsonOrigin& origin,
                                                       Mode mode) {
  RequireObject(json, "a quantizer", origin);
  if (const ordered_json* parts = FindValue(json, "quantizers")) {
    RequireOnlyKeys(json, "a list of quantizers", {"quantizers"}, origin);
    std::vector<std::shared_ptr<Quantizer>> quantizers;
    for (const ordered_json& part : RequireArray(*parts, "'quantizers'", origin)) {
      quantizers.push_back(QuantizerFromJson(part, origin, mode));
    }
    return std::make_shared<ComposableQuantizer>(std::move(quantizers), mode);
  }
  const ordered_json& member = RequireMember(json, "quantizer", origin);
  const std::string& name = RequireString(member, "'quantizer'", origin);
  if (name == "rules") return RuleQuantizerFromJson(json, origin, mode);
  const auto& names = QuantizerNames();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw InputError(origin.Of(member), "unknown quantizer '" + name.substr(0, 80) + "'",
                     "arm_inductor, embedding, x86_inductor, xnnpack or rules" +
                         NearestNameHint(name, names));
  }
  RequireOnlyKeys(json, "a quantizer", {"quantizer", "settings"}, origin);
  if (name == "embedding") {
    RequireOnlyKeys(json, "the quantizer embedding", {"quantizer"}, origin);
    return std::make_shared<EmbeddingQuantizer>(mode);
  }
  if (FindValue(json, "settings") == nullptr) return QuantizerByName(name, mode);
  if (name == "xnnpack") {
    return WithSettings(std::make_shared<XnnpackQuantizer>(mode), name, json, origin);
  }
  if (name == "arm_inductor") {
    return WithSettings(std::make_shared<ArmInductorQuantizer>(mode), name, json, origin);
  }
  return WithSettings(std::make_shared<X86InductorQuantizer>(mode), name, json, origin);
}

}  // namespace qconform
