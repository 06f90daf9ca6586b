// A qconfig that the user set on a module itself, as torch's attribute `.qconfig`.
#ifndef QCONFORM_REFERENCE_QCONFIG_PRESET_QCONFIG_H_
#define QCONFORM_REFERENCE_QCONFIG_PRESET_QCONFIG_H_

#include <optional>

#include "reference/ir/module.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

// What the module's attribute "qconfig" says: nothing if there is none; a null pointer
// if it is None; else the qconfig that it spells, as in qconfig_json.h. It decides the
// swap for QAT and nothing else: afterwards the mapping's takes its place. Throws
// InputError for any other value.
std::optional<QConfigPointer> PresetQConfig(const Module& module);

// Takes the attribute off a module and all below it.
void ErasePresetQConfigs(const std::shared_ptr<Module>& root);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QCONFIG_PRESET_QCONFIG_H_
