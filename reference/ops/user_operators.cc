#include "reference/ops/user_operators.h"

namespace qconform {

NameTable<FunctionDefinition>& UserFunctions() {
  static auto* const table = new NameTable<FunctionDefinition>("function");
  return *table;
}

NameTable<FunctionDefinition>& UserMethods() {
  static auto* const table = new NameTable<FunctionDefinition>("method");
  return *table;
}

NameTable<ModuleDefinition>& UserModules() {
  static auto* const table = new NameTable<ModuleDefinition>("module class");
  return *table;
}

}  // namespace qconform
