// torch's ready-made qconfigs and mappings.
#ifndef QCONFORM_REFERENCE_QCONFIG_DEFAULT_QCONFIG_H_
#define QCONFORM_REFERENCE_QCONFIG_DEFAULT_QCONFIG_H_

#include <optional>
#include <string>
#include <vector>

#include "reference/qconfig/qconfig_mapping.h"

namespace qconform {

// get_default_qconfig and get_default_qat_qconfig. `backend` is x86, fbgemm,
// qnnpack or onednn; version 0, for QAT also 1. Throws
// PipelineError("AssertionError") for anything else.
QConfigPointer GetDefaultQConfig(const std::string& backend, int version = 0);
QConfigPointer GetDefaultQatQConfig(const std::string& backend, int version = 1);

// get_default_qconfig_mapping and get_default_qat_qconfig_mapping.
QConfigMapping GetDefaultQConfigMapping(const std::string& backend, int version = 0);
QConfigMapping GetDefaultQatQConfigMapping(const std::string& backend, int version = 1);

// _get_symmetric_qnnpack_qconfig_mapping and its QAT twin.
QConfigMapping GetSymmetricQnnpackQConfigMapping();
QConfigMapping GetSymmetricQnnpackQatQConfigMapping();

// By torch's name: "default_dynamic_qconfig", "float16_static_qconfig", ...
// nullptr if there is none of that name.
QConfigPointer NamedQConfig(const std::string& name);
const std::vector<std::string>& QConfigNames();

// The mappings above by name: "default:x86", "default_qat:x86" (version 1),
// "default_qat_v0:x86" and so on for each backend, "symmetric_qnnpack" and
// "symmetric_qnnpack_qat". nullopt if there is none of that name.
std::optional<QConfigMapping> NamedQConfigMapping(const std::string& name);
const std::vector<std::string>& QConfigMappingNames();

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QCONFIG_DEFAULT_QCONFIG_H_
