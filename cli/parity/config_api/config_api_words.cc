// The rows of config_api.json that say in words what was done.
#include <cctype>
#include <map>
#include <sstream>

#include "cli/parity/config_api/config_api_rows.h"
#include "cli/parity/config_api/custom_config_words.h"
#include "cli/parity/config_api/worded_expression.h"
#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/config/human_readable.h"
#include "reference/config/python_repr.h"
#include "reference/observe/prepare.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace qconform::parity {
namespace {

ordered_json NativeRoundTrip() {
  const BackendConfig& native = BuiltInBackendConfig("native");
  const ordered_json written = BackendConfigToJson(native);
  const BackendConfig read = BackendConfigFromJson(written, "native");
  if (BackendConfigToJson(read) != written) return "not equal";
  return read.entries().size();
}

// "Linear(quint8), relu, Conv2d, then Linear(qint8)": entries in order.
ordered_json Registrations(const std::string& steps) {
  BackendConfig config("b");
  std::istringstream stream(steps);
  std::string item;
  while (std::getline(stream, item, ',')) {
    const size_t begin = item.find_first_not_of(' ');
    if (begin == std::string::npos) throw UnreadStep("an empty registration");
    item = item.substr(begin);
    if (item.starts_with("then ")) item = item.substr(5);
    std::string dtype;
    if (const size_t open = item.find('('); open != std::string::npos) {
      if (item.back() != ')') throw UnreadStep("no registration: " + item);
      dtype = item.substr(open + 1, item.size() - open - 2);
      item = item.substr(0, open);
    }
    if (item.empty() || item.find_first_of(" .'\"") != std::string::npos) {
      throw UnreadStep("no registration: " + item);
    }
    const bool is_class = std::isupper(static_cast<unsigned char>(item[0])) != 0;
    BackendPatternConfig entry(PatternOf(ResolveName((is_class ? "nn." : "F.") + item)));
    if (!dtype.empty()) {
      const ConfigValue value = ResolveName(dtype);
      if (value.As<DType>() == nullptr) throw UnreadStep("no dtype: " + dtype);
      DTypeConfig dtype_config;
      dtype_config.input_dtype = *value.As<DType>();
      entry.dtype_configs.push_back(dtype_config);
    }
    config.Set(std::move(entry));
  }
  return EncodeWithKeys(config);
}

// One list in two entries; an addition through one of them.
ordered_json SharedList() {
  DTypeConfigList list = {DTypeConfig()};
  BackendPatternConfig a(Pattern::Module("torch.nn.Linear"));
  BackendPatternConfig b(Pattern::Module("torch.nn.Conv2d"));
  a.dtype_configs.ShareWith(list);
  b.dtype_configs.ShareWith(list);
  a.dtype_configs.push_back(DTypeConfig());
  return {a.dtype_configs.size(), b.dtype_configs.size(), list.size()};
}

ordered_json ChangedAfterRegistration() {
  const auto entry =
      std::make_shared<BackendPatternConfig>(Pattern::Module("torch.nn.Linear"));
  BackendConfig config("b");
  config.Set(std::shared_ptr<const BackendPatternConfig>(entry));
  entry->dtype_configs.push_back(DTypeConfig());
  return config.entries()[0].config.dtype_configs.size();
}

// The key is made when the entry is registered.
ordered_json PatternAfterRegistration() {
  const auto entry =
      std::make_shared<BackendPatternConfig>(Pattern::Module("torch.nn.Linear"));
  BackendConfig config("b");
  config.Set(std::shared_ptr<const BackendPatternConfig>(entry));
  entry->SetPattern(Pattern::Module("torch.nn.Conv2d"));
  return EncodeWithKeys(config);
}

ordered_json CopyOfConfigs() {
  BackendConfig config("b");
  config.Set(BackendPatternConfig(Pattern::Module("torch.nn.Linear")));
  std::vector<BackendConfig::Entry> copy = config.entries();
  copy.push_back(copy[0]);
  return config.entries().size();
}

ordered_json SetAfterComplex() {
  BackendPatternConfig config;
  config.SetPatternComplexFormat(Pattern::Module("torch.nn.ReLU"));
  config.SetPattern(Pattern::Module("torch.nn.Linear"));
  return BackendPatternConfigToJson(config);
}

std::string WithoutSelf(std::string text) {
  // The record leaves out whose method a built-in is, and where that lives.
  const std::string self = " of type object";
  for (size_t at = text.find(self); at != std::string::npos; at = text.find(self)) {
    text.erase(at, self.size());
  }
  return text;
}

// The first three entries of native are what torch was asked to print.
ordered_json PrettyEntries() {
  ordered_json texts = ordered_json::array();
  const BackendConfig& native = BuiltInBackendConfig("native");
  for (size_t i = 0; i < 3; ++i) {
    texts.push_back(EntryToPrettyText(native.entries().at(i).config));
  }
  return texts;
}

// One pattern of each kind: a class, a tuple, a function of Python, a method, a built-in
// of torch, one of Python and a dispatcher.
ordered_json HumanReadable() {
  const ConfigValue patterns = EvaluateText(
      "[nn.Linear, (nn.ReLU, nn.Linear), F.relu, 'view', torch.add, operator.add, "
      "F.max_pool2d]");
  ordered_json texts = ordered_json::array();
  for (const ConfigValue& pattern : patterns.Object<ConfigList>()->items) {
    texts.push_back(WithoutSelf(PythonRepr(PatternToHumanReadable(PatternOf(pattern)))));
  }
  return texts;
}

// "boolean_dispatch_max_pool2d" is that dispatcher; another name is a function, which
// stays what it is.
ordered_json WithoutDispatch(const std::string& steps) {
  const std::string prefix = "boolean_dispatch_";
  const bool is_dispatch = steps.starts_with(prefix);
  const Pattern function = Pattern::Function(
      "torch.nn.functional." + (is_dispatch ? steps.substr(prefix.size()) : steps));
  const Pattern result = RemoveBooleanDispatch(function);
  if (result == function) return "True";
  return result.name();
}

// A value where prepare wants a backend config.
ordered_json WrongBackendConfig(const std::string& type) {
  const std::map<std::string, ordered_json> values = {
      {"int", 1}, {"list", ordered_json::array()}, {"str", "x"}, {"float", 0.5}};
  const auto found = values.find(type);
  if (found == values.end()) throw UnreadStep("no value of type " + type);
  return EncodeValue(FromDict("BackendConfig", found->second));
}

// The nodes of one linear layer after prepare under a mapping that is a dictionary.
ordered_json PreparedByDictionary() {
  GraphModule model;
  auto linear = std::make_shared<Module>();
  linear->type = "torch.nn.Linear";
  model.SetModule("0", linear);
  Node* x = model.graph.Append(Op::kPlaceholder, "input_1");
  Node* y = model.graph.Append(Op::kCallModule, "0", {x});
  model.scopes[y->name()] = {"0", linear->type};
  model.graph.Append(Op::kOutput, "output", {y});
  const ordered_json observer = {{"class", "MinMaxObserver"},
                                 {"kwargs", {{"dtype", "torch.quint8"}}}};
  const ordered_json weight = {{"class", "MinMaxObserver"},
                               {"kwargs", {{"dtype", "torch.qint8"}}}};
  const QConfigMapping mapping = QConfigMappingFromJson(
      {{"", {{"activation", observer}, {"weight", weight}}}}, "mapping");
  const auto config = std::make_shared<BackendConfig>(BuiltInBackendConfig("native"));
  const Prepared prepared = PrepareFx(model, mapping, config);
  return prepared.module.graph.nodes().size();
}

}  // namespace

ordered_json WordedResult(const std::string& name, const std::string& steps) {
  const std::string wrong = "prepare_fx backend_config=";
  if (name.starts_with(wrong) && steps == "wrong type") {
    return WrongBackendConfig(name.substr(wrong.size()));
  }
  if (name.starts_with("remove_boolean_dispatch_from_name ")) {
    return WithoutDispatch(steps);
  }
  if (name == "override keeps position") return Registrations(steps);
  if (const std::string text = WordedExpression(name, steps); !text.empty()) {
    return EncodeValue(EvaluateText(text));
  }
  using Words = std::pair<std::string, std::string>;
  static const auto* words = new std::map<Words, ordered_json (*)()>{
      {{"BackendConfig from_dict", "from_dict(to_dict) of native equals"},
       NativeRoundTrip},
      {{"configs is a copy", "configs.append does not change"}, CopyOfConfigs},
      {{"set_dtype_configs shares the list",
        "add_dtype_config through one is seen by both"},
       SharedList},
      {{"pattern config stored by reference", "mutate after set"},
       ChangedAfterRegistration},
      {{"pattern changed after registration keeps old key", "set_pattern after set"},
       PatternAfterRegistration},
      {{"set_pattern after complex", "complex then set_pattern"}, SetAfterComplex},
      {{"entry_to_pretty_str", "native F.linear etc."}, PrettyEntries},
      {{"pattern_to_human_readable", "various"}, HumanReadable},
      {{"PrepareCustomConfig from_dict", "keys"}, PrepareAttributes},
      {{"PrepareCustomConfig to_dict keys", "full"}, FullPrepareKeys},
      {{"ConvertCustomConfig to_dict", "full"}, FullConvertKeys},
      {{"prepare_fx qconfig dict accepted with warning", "qconfig_mapping={'': MM}"},
       PreparedByDictionary},
  };
  const auto found = words->find({name, steps});
  if (found == words->end()) throw UnreadStep("no call: " + steps);
  return found->second();
}

}  // namespace qconform::parity
