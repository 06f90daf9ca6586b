// Values of torch's config classes while a record's calls are made again.
#ifndef QCONFORM_CLI_PARITY_CONFIG_API_CONFIG_VALUE_H_
#define QCONFORM_CLI_PARITY_CONFIG_API_CONFIG_VALUE_H_

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cli/parity/config_api/call_expression.h"
#include "reference/config/backend_config.h"
#include "reference/fuse/fuse_custom_config.h"
#include "reference/observe/convert_custom_config.h"
#include "reference/observe/prepare_custom_config.h"

namespace qconform::parity {

using nlohmann::ordered_json;

// A step that this code does not understand: the record is not compared.
struct UnreadStep : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ConfigValue;
// A class or function of torch.ao.quantization by its last name.
struct CallableName {
  std::string name;
};
struct ConfigList {
  bool is_tuple = false;
  std::vector<ConfigValue> items;
};
struct ConfigDict {
  std::vector<std::pair<ConfigValue, ConfigValue>> items;
};

// Objects are held by reference, as in Python.
struct ConfigValue {
  std::variant<ordered_json, DType, Pattern, ObservationType, CallableName,
               std::shared_ptr<ConfigList>, std::shared_ptr<ConfigDict>,
               std::shared_ptr<DTypeWithConstraints>, std::shared_ptr<DTypeConfig>,
               std::shared_ptr<BackendPatternConfig>, std::shared_ptr<BackendConfig>,
               std::shared_ptr<PrepareCustomConfig>, std::shared_ptr<ConvertCustomConfig>,
               std::shared_ptr<FuseCustomConfig>>
      value;

  // nullptr if it holds something else.
  template <typename T>
  const T* As() const {
    return std::get_if<T>(&value);
  }
  template <typename T>
  T* Object() const {
    const auto* pointer = std::get_if<std::shared_ptr<T>>(&value);
    return pointer == nullptr ? nullptr : pointer->get();
  }
  bool IsNone() const {
    const ordered_json* json = As<ordered_json>();
    return json != nullptr && json->is_null();
  }
};

// The arguments of a call; an absent one is nullptr.
class CallArguments {
 public:
  CallArguments(std::vector<ConfigValue> values, std::vector<std::string> keywords)
      : values_(std::move(values)), keywords_(std::move(keywords)) {}
  // By the parameters' names: positional ones fill the first places that are free.
  // Throws PipelineError("TypeError") as Python does.
  std::vector<const ConfigValue*> Bind(const std::vector<std::string>& parameters) const;
  const std::vector<ConfigValue>& values() const { return values_; }

 private:
  std::vector<ConfigValue> values_;
  std::vector<std::string> keywords_;
};

// Makes the calls of an expression. Throws UnreadStep; PipelineError and TorchRefusal
// where torch refuses.
ConfigValue Evaluate(const Expression& expression);
// The same of a text; UnreadStep("no expression") for one that is none.
ConfigValue EvaluateText(const std::string& text);

// A call of a class or function, of a method, and the value of an attribute.
ConfigValue CallByName(const std::string& name, const CallArguments& arguments);
ConfigValue CallMethod(const ConfigValue& object, const std::string& method,
                       const CallArguments& arguments);
ConfigValue GetAttribute(const ConfigValue& object, const std::string& name);

// A function of one value: a map of a backend config, a human-readable form, len.
ConfigValue CallFunction(const std::string& name, const ConfigValue& value);

// CLASS.from_dict(dictionary).
ConfigValue FromDict(const std::string& class_name, const ordered_json& dictionary);

// "quint8", "torch.float", "nn.Linear", "F.relu", "MatchAllNode", ...
ConfigValue ResolveName(const std::string& dotted);

// The value as records write it.
ordered_json EncodeValue(const ConfigValue& value);
// A backend config with each entry's key.
ordered_json EncodeWithKeys(const BackendConfig& config);

// A pattern: a name, a text or a tuple of these. Throws UnreadStep.
Pattern PatternOf(const ConfigValue& value);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_CONFIG_API_CONFIG_VALUE_H_
