// What the passes of an operator show:
//   0  accuracy only
//   1  bounded: every code inside the set that the arithmetic's error bound allows
//   2  exact under the scheme that the backend declares
//   3  exact to the reference's scheme
//   4  proved: exact, and the whole domain was tried
#ifndef QCONFORM_CONFORMANCE_VERDICT_LEVELS_H_
#define QCONFORM_CONFORMANCE_VERDICT_LEVELS_H_

#include <map>
#include <string>
#include <vector>

#include "conformance/verdict/record.h"

namespace qconform {

// Of an exact comparison: 4 of a whole domain, 3, 2 under another scheme, -1 if it did
// not pass.
int LevelOf(const CaseRecord& record);

// By operator: the lowest level of its passes; 4 if one is proved and the others are
// exact to the reference's scheme. An operator with a failure has none.
std::map<std::string, int> LevelsOf(const std::vector<CaseRecord>& records);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_LEVELS_H_
