// What query accepts partition claims, or somebody else would compute it.
#ifndef QCONFORM_CONFORMANCE_HOST_CHECK_PARTITION_H_
#define QCONFORM_CONFORMANCE_HOST_CHECK_PARTITION_H_

#include "conformance/host/call_reply.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

// Hands over a program of this operator alone and, where its output is codes per tensor,
// one of three: the operator, a ReLU of its output, and the sum of both. Of each, query
// says what partition must claim. An operator that it accepts and nobody claims is
// kFallback; one that is claimed twice, though query refuses it, or is none of the
// program's, and a group of none, are kStatus. Without partition nothing.
void CheckPartition(const qc_backend& table, const OperatorCall& call,
                    FormatRun& problems);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_CHECK_PARTITION_H_
