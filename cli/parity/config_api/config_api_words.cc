// The rows of config_api.json that say in words what was done.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "cli/parity/config_api/config_api_rows.h"
#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/config/backend_config_maps.h"
#include "reference/config/human_readable.h"
#include "reference/config/python_repr.h"
#include "reference/observe/prepare.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace qconform::parity {
namespace {

// What a class writes it reads again.
ordered_json RoundTrip(const char* class_name, const ordered_json& want) {
  const ConfigValue first = FromDict(class_name, want);
  return EncodeValue(FromDict(class_name, EncodeValue(first)));
}

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

// The record names both patterns.
ordered_json PatternAfterRegistration(const ordered_json& want) {
  BackendConfig config(want.at("name").get<std::string>());
  for (const ordered_json& recorded : want.at("configs")) {
    ordered_json json = recorded;
    json["pattern"] = recorded.at("_internal_key");
    const auto entry = std::make_shared<BackendPatternConfig>(
        BackendPatternConfigFromJson(json, "pattern"));
    config.Set(std::shared_ptr<const BackendPatternConfig>(entry));
    entry->SetPattern(PatternFromJson(recorded.at("pattern"), "pattern"));
  }
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

// Entries that give the recorded map: "_reverse2(f)" was f for (a, b), and so on.
ordered_json FuserMap(const ordered_json& want) {
  BackendConfig config("b");
  for (const ordered_json& row : want) {
    const Pattern key = PatternFromJson(row.at(0), "fuser");
    std::string fuser = row.at(1);
    BackendPatternConfig entry;
    const bool pair = fuser.starts_with("_reverse2(");
    if (pair || fuser.starts_with("_reverse3(")) {
      fuser = fuser.substr(10, fuser.size() - 11);
      const std::vector<Pattern>& items = key.items();
      if (items.size() != 2) throw UnreadStep("a fuser's key");
      if (pair) {
        entry.pattern = Pattern::Tuple({items[1], items[0]});
      } else {
        const std::vector<Pattern>& inner = items[1].items();
        if (inner.size() != 2) throw UnreadStep("a fuser's key");
        entry.pattern = Pattern::Tuple({inner[1], inner[0], items[0]});
      }
    } else {
      entry.pattern_complex_format = key;
    }
    entry.fuser_method = fuser;
    config.Set(std::move(entry));
  }
  return EncodeValue(
      CallByName("get_fuser_method_mapping",
                 CallArguments({{std::make_shared<BackendConfig>(config)}}, {""})));
}

std::string WithoutSelf(std::string text) {
  // Some records leave out whose method a built-in is.
  const std::string self = " of type object";
  for (size_t at = text.find(self); at != std::string::npos; at = text.find(self)) {
    text.erase(at, self.size());
  }
  return text;
}

// Our text of the entry of a built-in config that prints the recorded pattern.
ordered_json PrettyEntries(const ordered_json& want) {
  ordered_json got = ordered_json::array();
  for (const ordered_json& text : want) {
    const std::string first_lines =
        text.get<std::string>().substr(0, text.get<std::string>().find(",\n"));
    ordered_json found;
    for (const BackendConfig::Entry& entry : BuiltInBackendConfig("native").entries()) {
      const std::string ours = EntryToPrettyText(entry.config);
      if (WithoutSelf(ours).starts_with(WithoutSelf(first_lines) + ",\n")) found = ours;
    }
    if (found.is_null()) throw UnreadStep("no entry of native prints " + first_lines);
    got.push_back(found);
  }
  return got;
}

// Every pattern and part of a pattern in the built-in configs, as it is printed.
const std::set<std::string>& PrintedPatterns() {
  static const auto* printed = [] {
    auto* texts = new std::set<std::string>();
    std::vector<Pattern> patterns;
    for (const std::string& name : BuiltInBackendNames()) {
      for (const BackendConfig::Entry& entry : BuiltInBackendConfig(name).entries()) {
        patterns.push_back(entry.key);
        if (entry.config.pattern) patterns.push_back(*entry.config.pattern);
      }
    }
    while (!patterns.empty()) {
      const Pattern pattern = std::move(patterns.back());
      patterns.pop_back();
      texts->insert(WithoutSelf(PythonRepr(PatternToHumanReadable(pattern))));
      for (const Pattern& item : pattern.items()) patterns.push_back(item);
    }
    return texts;
  }();
  return *printed;
}

// The record has no inputs: each text must be how some built-in pattern is printed.
ordered_json HumanReadable(const ordered_json& want) {
  for (const ordered_json& text : want) {
    if (PrintedPatterns().count(WithoutSelf(text.get<std::string>())) == 0) {
      throw UnreadStep("no built-in pattern is printed as " + text.dump());
    }
  }
  return want;
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

// The keys that a custom config writes which has all that the record lists.
ordered_json WrittenKeys(const char* class_name, const ordered_json& want) {
  ordered_json full = ordered_json::object();
  for (const ordered_json& key : want) {
    const std::string name = key;
    if (name.starts_with("standalone_")) {
      full[name] = {ordered_json::array({"m", nullptr, nullptr, nullptr, nullptr})};
    } else if (name.ends_with("_custom_module_class")) {
      full[name] = {{"static", {{"A", "B"}}}};
    } else if (name.ends_with("_idxs")) {
      full[name] = {0};
    } else {
      full[name] = {"a"};
    }
  }
  std::set<std::string> keys;
  const ordered_json written = EncodeValue(FromDict(class_name, full));
  for (const auto& [key, value] : written.items()) {
    keys.insert(key);
  }
  return keys;
}

// The record shows attributes where the dictionary has keys.
ordered_json PrepareAttributes(const ordered_json& want) {
  ordered_json dictionary = ordered_json::object();
  const std::map<std::string, std::string> lists = {
      {"non_traceable_module_names", "non_traceable_module_name"},
      {"non_traceable_module_classes", "non_traceable_module_class"},
      {"input_quantized_indexes", "input_quantized_idxs"},
      {"output_quantized_indexes", "output_quantized_idxs"},
      {"preserved_attributes", "preserved_attributes"}};
  const std::map<std::string, std::string> standalone = {
      {"standalone_module_names", "standalone_module_name"},
      {"standalone_module_classes", "standalone_module_class"}};
  for (const auto& [attribute, key] : lists) {
    if (want.contains(attribute)) dictionary[key] = want.at(attribute);
  }
  for (const auto& [attribute, key] : standalone) {
    if (!want.contains(attribute)) continue;
    for (const auto& [module, entry] : want.at(attribute).items()) {
      dictionary[key].push_back({module, entry.at("qconfig_mapping"), nullptr,
                                 entry.at("prepare_custom_config"), nullptr});
    }
  }
  const char* observed = "float_to_observed_mapping";
  if (want.contains(observed)) {
    for (const auto& [type, classes] : want.at(observed).items()) {
      std::string lower = type;
      for (char& c : lower) c = static_cast<char>(std::tolower(c));
      dictionary["float_to_observed_custom_module_class"][lower] = classes;
    }
  }
  // Back again from what the object writes.
  const ordered_json written = EncodeValue(FromDict("PrepareCustomConfig", dictionary));
  ordered_json got = ordered_json::object();
  for (const auto& [attribute, key] : lists) {
    if (written.contains(key)) got[attribute] = written.at(key);
  }
  for (const auto& [attribute, key] : standalone) {
    if (!written.contains(key)) continue;
    for (const ordered_json& entry : written.at(key)) {
      got[attribute][entry[0].get<std::string>()] = {{"qconfig_mapping", entry[1]},
                                                     {"prepare_custom_config", entry[3]}};
    }
  }
  if (written.contains("float_to_observed_custom_module_class")) {
    for (const auto& [type, classes] :
         written.at("float_to_observed_custom_module_class").items()) {
      std::string upper = type;
      for (char& c : upper) c = static_cast<char>(std::toupper(c));
      got[observed][upper] = classes;
    }
  }
  return got;
}

// The four properties of a config that was given them.
ordered_json Properties(const ordered_json& want) {
  const ConfigValue config =
      FromDict("DTypeConfig", {{"input_dtype", {{"dtype", want.at(0)}}},
                               {"output_dtype", {{"dtype", want.at(1)}}},
                               {"weight_dtype", {{"dtype", want.at(2)}}},
                               {"bias_dtype", want.at(3)}});
  ordered_json got = ordered_json::array();
  for (const char* name : {"input_dtype", "output_dtype", "weight_dtype", "bias_dtype"}) {
    got.push_back(EncodeValue(GetAttribute(config, name)));
  }
  return got;
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

ordered_json WordedResult(const std::string& name, const std::string& steps,
                          const ordered_json& want) {
  using Make = std::function<ordered_json()>;
  const std::string wrong = "prepare_fx backend_config=";
  if (name.starts_with(wrong) && steps == "wrong type") {
    return WrongBackendConfig(name.substr(wrong.size()));
  }
  if (name.starts_with("remove_boolean_dispatch_from_name ")) {
    return WithoutDispatch(steps);
  }
  if (steps.ends_with("properties give dtype") && want.size() == 4) {
    return Properties(want);
  }
  if (name == "override keeps position") return Registrations(steps);
  const std::map<std::pair<std::string, std::string>, Make> words = {
      {{"DTypeConfig round trip", "from_dict(to_dict)"},
       [&] { return RoundTrip("DTypeConfig", want); }},
      {{"full pattern config", "all setters"},
       [&] { return RoundTrip("BackendPatternConfig", want); }},
      {{"from_dict round trip", "BackendPatternConfig.from_dict(to_dict)"},
       [&] { return RoundTrip("BackendPatternConfig", want); }},
      {{"FuseCustomConfig to_dict", "full"},
       [&] { return RoundTrip("FuseCustomConfig", want); }},
      {{"BackendConfig from_dict", "from_dict(to_dict) of native equals"},
       NativeRoundTrip},
      {{"configs is a copy", "configs.append does not change"}, CopyOfConfigs},
      {{"set_dtype_configs shares the list",
        "add_dtype_config through one is seen by both"},
       SharedList},
      {{"pattern config stored by reference", "mutate after set"},
       ChangedAfterRegistration},
      {{"pattern changed after registration keeps old key", "set_pattern after set"},
       [&] { return PatternAfterRegistration(want); }},
      {{"set_pattern after complex", "complex then set_pattern"}, SetAfterComplex},
      {{"fuser method wrapped for 2 and 3 tuples", "get_fuser_method_mapping"},
       [&] { return FuserMap(want); }},
      {{"entry_to_pretty_str", "native F.linear etc."},
       [&] { return PrettyEntries(want); }},
      {{"pattern_to_human_readable", "various"}, [&] { return HumanReadable(want); }},
      {{"PrepareCustomConfig from_dict", "keys"},
       [&] { return PrepareAttributes(want); }},
      {{"PrepareCustomConfig to_dict keys", "full"},
       [&] { return WrittenKeys("PrepareCustomConfig", want); }},
      {{"ConvertCustomConfig to_dict", "full"},
       [&] { return WrittenKeys("ConvertCustomConfig", want); }},
      {{"prepare_fx qconfig dict accepted with warning", "qconfig_mapping={'': MM}"},
       PreparedByDictionary},
  };
  const auto found = words.find({name, steps});
  if (found == words.end()) throw UnreadStep("no call: " + steps);
  return found->second();
}

}  // namespace qconform::parity
