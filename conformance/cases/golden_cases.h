// A golden as cases: every operator of its program on the golden's own inputs, so that
// errors do not pile up, and then the program from end to end.
#ifndef QCONFORM_CONFORMANCE_CASES_GOLDEN_CASES_H_
#define QCONFORM_CONFORMANCE_CASES_GOLDEN_CASES_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/verdict/case_source.h"
#include "reference/golden/golden.h"

namespace qconform {

// "digits.x86": what the ids begin with.
std::string GoldenName(const Golden& golden);

// What a value of the program holds: a constant, or what the golden has for it. Throws
// InputError if that is missing.
const Tensor& GoldenValue(const Golden& golden, int index);

// The operator's case of this id, if it is one of the golden's.
std::optional<ConformanceCase> GoldenOperatorCase(const Golden& golden,
                                                  const std::string& id);

// Ids: digits.x86/conv2d.u8s8u8.per_channel.relu/<node>/real for an operator, and
// digits.x86/program/end_to_end/real. Throws InputError if a value is missing.
std::vector<CaseSource> GoldenCases(std::shared_ptr<const Golden> golden);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_GOLDEN_CASES_H_
