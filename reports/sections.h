// The parts of the page, from top to bottom. Each is empty where it has nothing to say,
// unless noted.
#ifndef QCONFORM_REPORTS_SECTIONS_H_
#define QCONFORM_REPORTS_SECTIONS_H_

#include "reports/markup.h"
#include "reports/report_input.h"

namespace qconform {

// The verdict of the whole page in one sentence, and the counts. Never empty.
Markup HeadlineSection(const ReportInput& input);
// Who was judged, with digests, and on which machines.
Markup SubjectsSection(const ReportInput& input);
// A bar of verdicts for each group of each run.
Markup VerdictsSection(const ReportInput& input);
// What the passes of each operator show, and which cells of the contract no case touched.
Markup ContractSection(const ReportInput& input);
// Never empty: also says that everything ran.
Markup NotRunSection(const ReportInput& input);
Markup ModelsSection(const ReportInput& input);
Markup FailuresSection(const ReportInput& input);
// The kill table.
Markup SaboteursSection(const ReportInput& input);
Markup KernelsSection(const ReportInput& input);
// Digests of the files that the page was made from.
Markup SourcesSection(const ReportInput& input);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SECTIONS_H_
