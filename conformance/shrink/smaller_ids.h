// Cases smaller than one that fails. An id is the whole case, so they are edits of the
// id: a word left out, a number made smaller, the data written down.
#ifndef QCONFORM_CONFORMANCE_SHRINK_SMALLER_IDS_H_
#define QCONFORM_CONFORMANCE_SHRINK_SMALLER_IDS_H_

#include <string>
#include <vector>

namespace qconform {

// Largest steps first; no duplicates. Some are no case: groups that divide nothing, a
// kernel larger than its input. Precondition: suite/what/shape/fill, with or without a
// seed.
std::vector<std::string> SmallerIds(const std::string& id);

// The id with its input codes written down as the fill `codes.A.B_C.D`, codes of the
// inputs in turn; empty where that is longer than a person reads. Throws InputError if
// the id is no case.
std::string WithLiteralCodes(const std::string& id);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_SHRINK_SMALLER_IDS_H_
