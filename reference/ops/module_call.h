// A module's forward as a call of the function that it stands for.
#ifndef QCONFORM_REFERENCE_OPS_MODULE_CALL_H_
#define QCONFORM_REFERENCE_OPS_MODULE_CALL_H_

#include <string>
#include <vector>

#include "reference/ops/registry.h"

namespace qconform {

// Adds module class `type`: `function` with the call's inputs and, by keyword, those
// of `settings` that the module has as an attribute, parameter or buffer. An absent
// (None) parameter is not passed. "training" is the module's mode.
void AddModuleAsFunction(Registry& registry, const std::string& type,
                         FunctionDefinition function, std::vector<std::string> settings);

// The call that AddModuleAsFunction makes.
Call ModuleCall(const Module& module, const Call& call,
                const std::vector<std::string>& settings);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_MODULE_CALL_H_
