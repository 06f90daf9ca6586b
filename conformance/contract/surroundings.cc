#include "conformance/contract/surroundings.h"

#include <algorithm>

#include "conformance/contract/pattern_atom.h"

namespace qconform {
namespace {

int CountOperands(const ordered_json& value) {
  if (IsOperand(value)) return value.get<std::string>() == "$in" ? 1 : 0;
  int count = 0;
  if (value.is_structured()) {
    for (const ordered_json& item : value) count += CountOperands(item);
  }
  return count;
}

bool HasParameter(const ordered_json& arguments, const char* name) {
  return std::any_of(arguments.begin(), arguments.end(), [&](const ordered_json& item) {
    return item.is_object() && item.contains(name);
  });
}

bool CanTakeNumber(const std::string& name) {
  const std::string leaf = LeafOf(name);
  return leaf == "add" || leaf == "mul" || leaf == "sub" || leaf == "iadd" ||
         leaf == "imul";
}

}  // namespace

const char* SurroundingsName(Surroundings surroundings) {
  static constexpr const char* kNames[] = {
      "alone",        "chain", "two_readers", "second_user", "reuse",   "inner_user",
      "same_operand", "twin",  "scalar",      "no_tensors",  "keyword", "no_bias"};
  return kNames[static_cast<size_t>(surroundings)];
}

std::vector<Surroundings> SurroundingsOf(const Pattern& pattern) {
  std::vector<Surroundings> all = {Surroundings::kAlone, Surroundings::kTwoReaders};
  if (Chains(pattern)) {
    all.push_back(Surroundings::kChain);
    all.push_back(Surroundings::kSecondUser);
  }
  const Pattern& head = pattern.Head();
  bool inner = false;
  bool any = false;
  bool modules = IsModuleAtom(head);
  std::string weighted = IsModuleAtom(head) ? "" : head.name();
  if (pattern.IsTuple()) {
    for (size_t i = 1; i < pattern.items().size(); ++i) {
      const Pattern& item = pattern.items()[i];
      inner |= HasOperation(item) && item.kind() != Pattern::Kind::kMethod;
      any |= item.kind() == Pattern::Kind::kMatchAll;
      modules |= IsModuleAtom(item.Head());
      if (item.Head().kind() == Pattern::Kind::kFunction) weighted = item.Head().name();
    }
  }
  if (modules && !HasQatClass(pattern)) all.push_back(Surroundings::kReuse);
  if (inner) all.push_back(Surroundings::kInnerUser);
  if (any && inner) all.push_back(Surroundings::kTwin);
  const OperatorSample sample = SampleOf(head);
  const bool binary = CountOperands(sample.arguments) == 2;
  if (any || (binary && !pattern.IsTuple())) all.push_back(Surroundings::kSameOperand);
  const Pattern* base = &pattern;
  while (base->IsTuple() && base->items().size() == 2) base = &base->items()[1];
  if (!base->IsTuple() && CanTakeNumber(base->name()) &&
      CountOperands(SampleOf(*base).arguments) == 2) {
    all.push_back(Surroundings::kScalar);
    if (!pattern.IsTuple()) all.push_back(Surroundings::kNoTensors);
  }
  const bool function_weight =
      !weighted.empty() &&
      HasParameter(FindOperatorSample(weighted, false).arguments, "$weight");
  if (function_weight) all.push_back(Surroundings::kKeyword);
  const bool has_bias =
      function_weight
          ? HasParameter(FindOperatorSample(weighted, false).arguments, "$bias")
          : IsModuleAtom(*base) && SampleOf(*base).module->parameters.Contains("bias");
  if (has_bias) all.push_back(Surroundings::kNoBias);
  return all;
}

}  // namespace qconform
