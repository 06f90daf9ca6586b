// Which operators the quantizers for Inductor know.
#ifndef QCONFORM_REFERENCE_QUANTIZERS_INDUCTOR_OPERATORS_H_
#define QCONFORM_REFERENCE_QUANTIZERS_INDUCTOR_OPERATORS_H_

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "reference/config/mode.h"

namespace qconform {

enum class InductorTarget { kX86, kArm };

struct InductorOperators {
  // What the class is called in torchao.
  std::string class_name;
  // Take and give int8: quantized only behind something that is. Empty for Arm.
  std::unordered_set<std::string> propagated;
  // What a global config is about.
  std::unordered_set<std::string> quantized_by_default;
  // What a config for a name or a type may be about.
  std::unordered_set<std::string> quantizable;
  // The module classes and functions that can be configured, by their operator.
  std::unordered_map<std::string, std::string> operator_of_type;
};

// In strict mode nn.Conv1d has an operator, which torchao's table gives to nn.Conv2d.
const InductorOperators& OperatorsOf(InductorTarget target, Mode mode);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_INDUCTOR_OPERATORS_H_
