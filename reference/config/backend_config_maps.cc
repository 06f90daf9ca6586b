#include "reference/config/backend_config_maps.h"

#include "reference/ir/error.h"

namespace qconform {

OrderedMap<FuserMethod> FuserMethods(const BackendConfig& config) {
  OrderedMap<FuserMethod> methods;
  for (const BackendConfig::Entry& entry : config.entries()) {
    if (entry.config.fuser_method.empty()) continue;
    FuserMethod method{entry.config.fuser_method};
    if (!entry.config.pattern_complex_format) {
      const Pattern& pattern = *entry.config.pattern;
      if (!pattern.IsTuple()) {
        throw PipelineError("ValueError",
                            "Expected pattern to be a tuple, got: " + pattern.Text());
      }
      method.reversed = static_cast<int>(pattern.items().size());
    }
    methods.Set(entry.key.Text(), std::move(method));
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

OrderedMap<std::string> ModuleToQatModule(const BackendConfig& config) {
  OrderedMap<std::string> map;
  for (const BackendConfig::Entry& entry : config.entries()) {
    if (!entry.config.qat_module.empty()) {
      map.Set(entry.key.Text(), entry.config.qat_module);
    }
  }
  return map;
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
