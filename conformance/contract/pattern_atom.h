// What the parts of a row's pattern are, and how each is called in the smallest way.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_PATTERN_ATOM_H_
#define QCONFORM_CONFORMANCE_CONTRACT_PATTERN_ATOM_H_

#include <string>

#include "conformance/contract/operator_sample.h"
#include "reference/config/pattern.h"

namespace qconform {

bool IsModuleAtom(const Pattern& atom);

// Neither any value nor a literal.
bool HasOperation(const Pattern& pattern);

// Whether a class of torch.ao.nn.qat stands in it.
bool HasQatClass(const Pattern& pattern);

// Whether a second instance may read the first one's result.
bool Chains(const Pattern& pattern);

// Of a module class or function; of a QAT class the float class that it is swapped from.
OperatorSample SampleOf(const Pattern& atom);

// "$in" or "$in=2" among the arguments of a sample.
bool IsOperand(const ordered_json& value);

// "torch.nn.modules.conv.Conv2d" -> "Conv2d"
std::string LeafOf(const std::string& name);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_PATTERN_ATOM_H_
