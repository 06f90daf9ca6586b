// Operators that extensions added. Every Registry knows them after its own.
#ifndef QCONFORM_REFERENCE_OPS_USER_OPERATORS_H_
#define QCONFORM_REFERENCE_OPS_USER_OPERATORS_H_

#include "reference/ir/name_table.h"
#include "reference/ops/registry.h"

namespace qconform {

NameTable<FunctionDefinition>& UserFunctions();
NameTable<FunctionDefinition>& UserMethods();
NameTable<ModuleDefinition>& UserModules();

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_USER_OPERATORS_H_
