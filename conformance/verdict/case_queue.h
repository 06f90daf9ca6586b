// Runs cases with several workers at once.
#ifndef QCONFORM_CONFORMANCE_VERDICT_CASE_QUEUE_H_
#define QCONFORM_CONFORMANCE_VERDICT_CASE_QUEUE_H_

#include <functional>
#include <vector>

#include "conformance/verdict/session.h"

namespace qconform {

// Runs cases[i] for the i of `order`, in this order but side by side with options.jobs
// workers. Each worker gets its cases, and `done` their records, in this order too; only
// the preparation of the next case happens meanwhile. `done` gets each record with its i,
// one call at a time. Stops early after an interrupt; throws what a case or `done` throws
// once every worker has stopped.
void RunCases(const std::vector<CaseSource>& cases, const std::vector<size_t>& order,
              const Subject& subject, const SessionOptions& options,
              const std::function<void(size_t, CaseRecord)>& done);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_CASE_QUEUE_H_
