// What the suites of a run catch of the faults that are planted in saboteurs.
#ifndef QCONFORM_CLI_SABOTEURS_LINE_H_
#define QCONFORM_CLI_SABOTEURS_LINE_H_

#include <string>
#include <vector>

#include "cli/case_selection.h"
#include "conformance/verdict/record.h"

namespace qconform {

// By what was recorded of the suites' files. Speaks of the suites that were taken whole
// and of which the backend executed a case, and says how many of their cases it did not
// execute; "" where there is no such suite. Throws InputError for a bad record.
std::string SaboteursLine(const Selection& selection,
                          const std::vector<CaseRecord>& records);

}  // namespace qconform

#endif  // QCONFORM_CLI_SABOTEURS_LINE_H_
