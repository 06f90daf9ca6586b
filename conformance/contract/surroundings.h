// In what the pattern of a row is tried.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_SURROUNDINGS_H_
#define QCONFORM_CONFORMANCE_CONTRACT_SURROUNDINGS_H_

#include <vector>

#include "reference/config/pattern.h"

namespace qconform {

// What stands around the pattern.
enum class Surroundings {
  kAlone,        // inputs, the pattern, output
  kChain,        // the pattern reads its own kind: what lies between is observed once
  kTwoReaders,   // two of the pattern read one input
  kSecondUser,   // the chain, and the value in between is returned as well
  kReuse,        // one module called twice
  kInnerUser,    // a value inside the pattern is returned as well: no match
  kSameOperand,  // all operands are one value
  kTwin,         // where any operand would do stands the pattern's other one again
  kScalar,       // the second operand is a number
  kNoTensors,    // all operands are numbers of a shape
  kKeyword,      // weight and bias by keyword
  kNoBias,       // a weighted operator without its bias
};

// "alone", "chain", "two_readers", ...
const char* SurroundingsName(Surroundings surroundings);

// Which of them differ from kAlone for this row, kAlone first. Throws as
// BuildPatternGraph.
std::vector<Surroundings> SurroundingsOf(const Pattern& pattern);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_SURROUNDINGS_H_
