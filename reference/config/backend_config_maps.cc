#include "reference/config/backend_config_maps.h"

#include "reference/config/python_repr.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

// Of the entries that have it, a name by pattern.
OrderedMap<std::string> PatternToText(const BackendConfig& config,
                                      std::string BackendPatternConfig::*field) {
  OrderedMap<std::string> map;
  for (const BackendConfig::Entry& entry : config.entries()) {
    if (!(entry.config.*field).empty()) map.Set(entry.key.Text(), entry.config.*field);
  }
  return map;
}

}  // namespace

FuserMethod FuserMethodOf(const BackendPatternConfig& config) {
  FuserMethod method{config.fuser_method};
  if (config.pattern_complex_format) return method;
  const Pattern& pattern = *config.pattern;
  if (!pattern.IsTuple()) {
    throw PipelineError("ValueError",
                        "Expected pattern to be a tuple, got: " + PythonRepr(pattern));
  }
  method.reversed = static_cast<int>(pattern.items().size());
  return method;
}

OrderedMap<FuserMethod> FuserMethods(const BackendConfig& config) {
  OrderedMap<FuserMethod> methods;
  for (const BackendConfig::Entry& entry : config.entries()) {
    if (entry.config.fuser_method.empty()) continue;
    methods.Set(entry.key.Text(), FuserMethodOf(entry.config));
  }
  return methods;
}

OrderedMap<std::string> RootModuleToReferenceModule(const BackendConfig& config) {
  OrderedMap<std::string> map;
  for (const BackendConfig::Entry& entry : config.entries()) {
    const BackendPatternConfig& value = entry.config;
    if (!value.root_module.empty() && !value.reference_quantized_module.empty()) {
      map.Set(value.root_module, value.reference_quantized_module);
    }
  }
  return map;
}

OrderedMap<std::vector<DTypeConfig>> PatternToDTypeConfigs(const BackendConfig& config) {
  OrderedMap<std::vector<DTypeConfig>> map;
  for (const BackendConfig::Entry& entry : config.entries()) {
    map.Set(entry.key.Text(), entry.config.dtype_configs);
  }
  return map;
}

OrderedMap<InputTypeToIndex> PatternToInputTypeToIndex(const BackendConfig& config) {
  OrderedMap<InputTypeToIndex> map;
  for (const BackendConfig::Entry& entry : config.entries()) {
    map.Set(entry.key.Text(), entry.config.input_type_to_index);
  }
  return map;
}

OrderedMap<std::string> ModuleToQatModule(const BackendConfig& config) {
  return PatternToText(config, &BackendPatternConfig::qat_module);
}

OrderedMap<std::string> FusionPatternToRootNodeGetter(const BackendConfig& config) {
  return PatternToText(config, &BackendPatternConfig::root_node_getter);
}

OrderedMap<std::string> FusionPatternToExtraInputsGetter(const BackendConfig& config) {
  return PatternToText(config, &BackendPatternConfig::extra_inputs_getter);
}

std::set<std::string> QatModuleClasses(const BackendConfig& config) {
  std::set<std::string> classes;
  for (const BackendConfig::Entry& entry : config.entries()) {
    if (!entry.config.qat_module.empty()) classes.insert(entry.config.qat_module);
  }
  return classes;
}

std::set<std::string> FusedModuleClasses(const BackendConfig& config) {
  std::set<std::string> classes;
  for (const BackendConfig::Entry& entry : config.entries()) {
    if (!entry.config.fused_module.empty()) classes.insert(entry.config.fused_module);
  }
  return classes;
}

}  // namespace qconform
