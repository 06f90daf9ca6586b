// What the passes of an operator show:
//   0  accuracy only: the error bound of some element says nothing (its set holds every
//      code), and the outputs are no further off than their own rounding
//   1  bounded: no scheme is declared that the reference knows, and every code lies
//   inside
//      the set that the arithmetic's error bound allows
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

// Of one case; -1 if it did not pass. Of a whole domain without a declared scheme it is 4
// only if every code is the reference's.
int LevelOf(const CaseRecord& record);

// By operator: the lowest level of its passes; 4 if one is proved and the others are
// exact to the reference's scheme. An operator with a failure has none.
std::map<std::string, int> LevelsOf(const std::vector<CaseRecord>& records);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_LEVELS_H_
