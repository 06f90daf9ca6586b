// What query accepts partition claims, or somebody else would compute it.
#ifndef QCONFORM_CONFORMANCE_HOST_CHECK_PARTITION_H_
#define QCONFORM_CONFORMANCE_HOST_CHECK_PARTITION_H_

#include "conformance/host/call_reply.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

// Hands over a program of this operator alone, which query accepts. Nothing claimed is
// kFallback, anything but the operator, once, kStatus. Without partition nothing.
void CheckPartition(const qc_backend& table, const OperatorCall& call,
                    FormatRun& problems);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_CHECK_PARTITION_H_
