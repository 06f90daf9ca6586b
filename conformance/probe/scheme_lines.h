// What an elimination found, as lines of a report.
#ifndef QCONFORM_CONFORMANCE_PROBE_SCHEME_LINES_H_
#define QCONFORM_CONFORMANCE_PROBE_SCHEME_LINES_H_

#include <functional>
#include <string>
#include <vector>

#include "conformance/probe/probe_report.h"
#include "conformance/probe/scheme_words.h"

namespace qconform {

// An answer that the scheme does not give; "" if it gives all.
using Disagreement = std::function<std::string(const Scheme&)>;

// One line for each of the parts: what `alive` have there, and an answer that rules a
// sibling out.
std::vector<ProbeLine> SchemeLines(const std::vector<Scheme>& alive,
                                   const std::vector<SchemePart>& parts,
                                   const Disagreement& disagreement);

// Sets the schemes, and compares them with what the backend declares.
void SetSchemes(ProbeReport& report, const std::vector<Scheme>& alive,
                const std::vector<std::string>& declared);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_PROBE_SCHEME_LINES_H_
