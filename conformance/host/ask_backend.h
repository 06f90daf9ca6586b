// What query says of a call, put to it until it says yes in one memory format.
#ifndef QCONFORM_CONFORMANCE_HOST_ASK_BACKEND_H_
#define QCONFORM_CONFORMANCE_HOST_ASK_BACKEND_H_

#include <string>

#include "conformance/host/call_reply.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

struct BackendAnswer {
  qc_status status = QC_OK;
  bool supported = false;
  qc_answer answer = {};  // if it is supported
  std::string reason;     // of the first refusal, which is the one to read
};

// How the answers to one question differ; "" if they do not.
std::string AnswerDifference(const qc_answer& first, const qc_answer& second);

// What of an answer the ABI does not have, in words; "" for nothing. Memory formats of a
// backend whose minor version is a later one may be new.
std::string AnswerObjection(const qc_backend& table, const qc_answer& answer);

// The largest rank of what is neither constant nor output; 0 without such.
int ActivationRank(const OperatorCall& call);

// Every question is asked twice. Another answer to the same one (kAnswer), one that
// the ABI does not have (kInvalidAnswer), bytes behind the answer (kBounds) and a changed
// environment are problems of `problems`.
BackendAnswer AskBackend(const qc_backend& table, const OperatorCall& call,
                         FormatRun& problems);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_ASK_BACKEND_H_
