// A call that the backend's config does not declare: query must say no.
#ifndef QCONFORM_CONFORMANCE_VERDICT_RUN_UNDECLARED_H_
#define QCONFORM_CONFORMANCE_VERDICT_RUN_UNDECLARED_H_

#include "conformance/verdict/case_source.h"

namespace qconform {

// PASS for a refusal; FAIL, "accepts what it does not declare", for an answer, right or
// wrong.
CaseRecord RunUndeclared(const ConformanceCase& conformance_case, const Subject& subject);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_RUN_UNDECLARED_H_
