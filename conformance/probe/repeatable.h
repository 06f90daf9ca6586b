// Whether a black box answers the same question in the same way.
#ifndef QCONFORM_CONFORMANCE_PROBE_REPEATABLE_H_
#define QCONFORM_CONFORMANCE_PROBE_REPEATABLE_H_

#include "conformance/probe/probe_report.h"
#include "conformance/probe/questioner.h"

namespace qconform {

// One judged call, or two where the backend is out of process. A rule that is read off
// answers which change is none: the line is then not known.
ProbeLine FindRepeatability(const OperatorCall& call, Questioner& questioner);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_PROBE_REPEATABLE_H_
