// Why an output is wrong, in lines for a person.
#ifndef QCONFORM_CONFORMANCE_COMPARE_EXPLAIN_H_
#define QCONFORM_CONFORMANCE_COMPARE_EXPLAIN_H_

#include <string>
#include <vector>

#include "conformance/compare/exact.h"

namespace qconform {

struct Explanation {
  std::string cause;  // class, "" if none was recognised
  // The first wrong element; how many differ; the cause's evidence; the inputs of the
  // first wrong element; the next wrong ones.
  std::vector<std::string> lines;
};

// Precondition: !difference.equal().
Explanation Explain(const OperatorCall& call, const std::string& scheme,
                    const std::vector<Bytes>& got, const std::vector<Bytes>& want,
                    const Difference& difference);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_COMPARE_EXPLAIN_H_
