// Comparison to the bit, element by element, and whether the expected data could have
// shown a fault at all.
#ifndef QCONFORM_CONFORMANCE_COMPARE_EXACT_H_
#define QCONFORM_CONFORMANCE_COMPARE_EXACT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/compare/reference_outputs.h"
#include "conformance/host/operator_call.h"

namespace qconform {

struct Difference {
  int64_t elements = 0;  // compared, over all outputs
  int64_t wrong = 0;
  // The first wrong element.
  size_t output = 0;
  int64_t index = 0;       // in row-major order
  double largest = 0;      // |got - want| of the worst element
  bool all_by_one = true;  // every wrong code is off by one

  bool equal() const { return wrong == 0; }
};

Difference CompareExactly(const std::vector<CallTensor>& outputs,
                          const std::vector<Bytes>& got, const std::vector<Bytes>& want);

// The element as a number. Float16 and bfloat16 are widened.
double ElementAt(const CallTensor& tensor, const Bytes& data, int64_t index);

// "y[0,3,2,2]" for output 0; "y1[...]" for output 1.
std::string ElementName(const CallTensor& tensor, size_t output, int64_t index);

// Empty, or why no fault could have shown: several elements that are all equal, or
// hardly one that is not saturated. Empty outputs are fine.
std::string ReasonForMistrust(const OperatorCall& call, const std::vector<Bytes>& want);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_COMPARE_EXACT_H_
