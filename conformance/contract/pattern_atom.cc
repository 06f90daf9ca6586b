#include "conformance/contract/pattern_atom.h"

#include <algorithm>

#include "reference/config/module_types.h"

namespace qconform {
namespace {

// The float class that a QAT class is swapped from.
std::string FloatClass(const std::string& name) {
  const ModuleType* type = FindModuleType(name);
  return type == nullptr || type->float_module.empty() ? name : type->float_module;
}

}  // namespace

bool IsModuleAtom(const Pattern& atom) { return atom.kind() == Pattern::Kind::kModule; }

bool HasOperation(const Pattern& pattern) {
  return pattern.kind() != Pattern::Kind::kMatchAll &&
         pattern.kind() != Pattern::Kind::kLiteral;
}

bool HasQatClass(const Pattern& pattern) {
  if (!pattern.IsTuple()) return IsModuleAtom(pattern) && IsQatModule(pattern.name());
  return std::any_of(pattern.items().begin(), pattern.items().end(), HasQatClass);
}

bool Chains(const Pattern& pattern) {
  if (pattern.IsTuple()) {
    return std::all_of(pattern.items().begin(), pattern.items().end(), Chains);
  }
  if (!HasOperation(pattern)) return true;
  const OperatorSample sample = SampleOf(pattern);
  return sample.domain == Domain::kPlain || sample.domain == Domain::kNorm;
}

OperatorSample SampleOf(const Pattern& atom) {
  return FindOperatorSample(FloatClass(atom.name()), IsModuleAtom(atom));
}

bool IsOperand(const ordered_json& value) {
  return value.is_string() && value.get<std::string>().starts_with("$in");
}

std::string LeafOf(const std::string& name) { return name.substr(name.rfind('.') + 1); }

}  // namespace qconform
