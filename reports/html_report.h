#ifndef QCONFORM_REPORTS_HTML_REPORT_H_
#define QCONFORM_REPORTS_HTML_REPORT_H_

#include <string>

#include "reports/report_input.h"

namespace qconform {

// One self-contained page: no scripts, no network, nothing but this text; light and
// dark, from 360 px of width up. The same input gives the same bytes. Long lists are
// cut and say so, which keeps any page below kMaxPageBytes.
std::string HtmlReport(const ReportInput& input);

inline constexpr size_t kMaxPageBytes = 2'000'000;

}  // namespace qconform

#endif  // QCONFORM_REPORTS_HTML_REPORT_H_
