// The rows of a suite as cases.
#ifndef QCONFORM_CONFORMANCE_CASES_SUITE_CASES_H_
#define QCONFORM_CONFORMANCE_CASES_SUITE_CASES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/cases/suite_row.h"
#include "conformance/verdict/case_source.h"

namespace qconform {

std::vector<CaseSource> SuiteCases(const std::vector<SuiteRow>& rows);

// The names of the suites in `folder`, sorted.
std::vector<std::string> SuiteNames(const std::filesystem::path& folder);

// A suite by file name, or by its name in `folder`. Throws InputError that lists the
// names that there are.
std::filesystem::path SuiteFile(const std::string& name_or_file,
                                const std::filesystem::path& folder);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_SUITE_CASES_H_
