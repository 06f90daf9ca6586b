// Views of a backend config that the stages use: the maps of
// torch.ao.quantization.backend_config.utils.
#ifndef QCONFORM_REFERENCE_CONFIG_BACKEND_CONFIG_MAPS_H_
#define QCONFORM_REFERENCE_CONFIG_BACKEND_CONFIG_MAPS_H_

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference/config/backend_config.h"

namespace qconform {

// A fuser method and how to call it. Fusers of plain patterns take the modules
// in execution order; a complex pattern's take them as the pattern nests them.
struct FuserMethod {
  std::string name;
  // 2 or 3: the stored (last, ..., first) is turned round. 0: as it stands.
  int reversed = 0;
};

// Throws PipelineError("ValueError") when an entry that is not a tuple has a fuser
// method.
FuserMethod FuserMethodOf(const BackendPatternConfig& config);

// Of all entries that have one. Keys are Pattern::Text() of internal keys. Later entries
// win. (get_fuser_method_mapping) Throws as FuserMethodOf does.
OrderedMap<FuserMethod> FuserMethods(const BackendConfig& config);

// (get_pattern_to_dtype_configs, get_pattern_to_input_type_to_index) Every entry.
OrderedMap<std::vector<DTypeConfig>> PatternToDTypeConfigs(const BackendConfig& config);
using InputTypeToIndex = std::vector<std::pair<std::string, int>>;
OrderedMap<InputTypeToIndex> PatternToInputTypeToIndex(const BackendConfig& config);

// Names of functions; entries that have one. (get_fusion_pattern_to_root_node_getter,
// get_fusion_pattern_to_extra_inputs_getter)
OrderedMap<std::string> FusionPatternToRootNodeGetter(const BackendConfig& config);
OrderedMap<std::string> FusionPatternToExtraInputsGetter(const BackendConfig& config);

// Class -> class. Entries that have both a root and a reference module.
// (get_root_module_to_quantized_reference_module)
OrderedMap<std::string> RootModuleToReferenceModule(const BackendConfig& config);

// Pattern of a single class -> QAT class. (get_module_to_qat_module)
OrderedMap<std::string> ModuleToQatModule(const BackendConfig& config);

// (get_qat_module_classes, get_fused_module_classes)
std::set<std::string> QatModuleClasses(const BackendConfig& config);
std::set<std::string> FusedModuleClasses(const BackendConfig& config);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_BACKEND_CONFIG_MAPS_H_
