// What a run is about, as its journal's first line says it.
#ifndef QCONFORM_CONFORMANCE_VERDICT_RUN_HEADER_H_
#define QCONFORM_CONFORMANCE_VERDICT_RUN_HEADER_H_

#include <string>

#include "conformance/verdict/session.h"

namespace qconform {

RunHeader HeaderOf(size_t cases, const Subject& subject, const SessionOptions& options);

// Throws InputError unless both are of one suite, backend, config, shard, version of
// qconform and machine.
void CheckSameRun(const RunHeader& old, const RunHeader& now, const std::string& where);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_RUN_HEADER_H_
