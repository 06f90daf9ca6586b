// What a backend supports, pattern by pattern: torch.ao.quantization.
// backend_config's ObservationType, BackendPatternConfig and BackendConfig.
#ifndef QCONFORM_REFERENCE_CONFIG_BACKEND_CONFIG_H_
#define QCONFORM_REFERENCE_CONFIG_BACKEND_CONFIG_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/config/dtype_config_list.h"
#include "reference/config/pattern.h"
#include "reference/ir/ordered_map.h"

namespace qconform {

enum class ObservationType {
  kOutputUseDifferentObserverAsInput,
  kOutputShareObserverWithInput,
  kInputOutputNotObserved,
};

// "OUTPUT_USE_DIFFERENT_OBSERVER_AS_INPUT", ...
const char* ObservationTypeName(ObservationType type);
std::optional<ObservationType> ParseObservationType(const std::string& name);

// Module classes and functions stand as canonical names; empty is None.
struct BackendPatternConfig {
  std::optional<Pattern> pattern;
  std::optional<Pattern> pattern_complex_format;
  ObservationType observation_type = ObservationType::kOutputUseDifferentObserverAsInput;
  DTypeConfigList dtype_configs;
  std::string root_module;
  std::string qat_module;
  std::string reference_quantized_module;
  std::string fused_module;
  std::string fuser_method;
  std::string root_node_getter;
  std::string extra_inputs_getter;
  std::map<int, ObservationType> num_tensor_args_to_observation_type;
  // "weight", "bias", "input" -> index of the positional argument; in the order
  // in which they were declared.
  std::vector<std::pair<std::string, int>> input_type_to_index;

  BackendPatternConfig() = default;
  explicit BackendPatternConfig(Pattern pattern) : pattern(std::move(pattern)) {}

  // Both throw PipelineError("ValueError") when the other spelling is set.
  void SetPattern(Pattern value);
  void SetPatternComplexFormat(Pattern value);

  // The pattern as stored: reversed and nested. Throws PipelineError("ValueError")
  // without a pattern.
  Pattern InternalKey() const;
};

class BackendConfig {
 public:
  explicit BackendConfig(std::string name = "") : name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  // An entry with an equal key is replaced and keeps its place. Throws
  // PipelineError("ValueError") for an entry whose pattern has no internal key.
  void Set(BackendPatternConfig config) {
    Set(std::make_shared<const BackendPatternConfig>(std::move(config)));
  }
  // Keeps the object itself, as torch does: later changes to it are seen, but for its
  // pattern, whose key is made here.
  void Set(std::shared_ptr<const BackendPatternConfig> config);

  struct Entry {
    Entry(Pattern key, std::shared_ptr<const BackendPatternConfig> shared)
        : key(std::move(key)), shared(std::move(shared)), config(*this->shared) {}
    Pattern key;
    std::shared_ptr<const BackendPatternConfig> shared;
    const BackendPatternConfig& config;
  };
  BackendConfig(const BackendConfig&) = default;
  BackendConfig(BackendConfig&&) = default;
  // Entries hold references and cannot be assigned one by one.
  BackendConfig& operator=(BackendConfig other) {
    name_ = std::move(other.name_);
    entries_.swap(other.entries_);
    index_ = std::move(other.index_);
    return *this;
  }
  const std::vector<Entry>& entries() const { return entries_; }
  // The entry with this internal key, or nullptr.
  const Entry* Find(const Pattern& key) const;
  // The entry of a single function, method or module, or nullptr.
  const BackendPatternConfig* FindSingle(const std::string& name) const;

 private:
  std::string name_;
  std::vector<Entry> entries_;
  OrderedMap<size_t> index_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_BACKEND_CONFIG_H_
