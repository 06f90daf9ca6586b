// The known name that a mistyped one most likely means.
#ifndef QCONFORM_REFERENCE_IR_NEAREST_NAME_H_
#define QCONFORM_REFERENCE_IR_NEAREST_NAME_H_

#include <string>
#include <vector>

namespace qconform {

// The name with the fewest letters to insert, drop or replace (Levenshtein, 1966); of
// equally near ones the first. Empty without names.
std::string NearestName(const std::string& name, const std::vector<std::string>& known);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_NEAREST_NAME_H_
