// Plans that were made before a call's own first one.
#ifndef QCONFORM_CONFORMANCE_HOST_EARLIER_PLANS_H_
#define QCONFORM_CONFORMANCE_HOST_EARLIER_PLANS_H_

#include <memory>
#include <string>
#include <vector>

#include "conformance/host/call_reply.h"
#include "conformance/host/memory_format.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

// Plans of a call with the call's own constants and one other parameter each
// (changed_calls.h), of those that query takes as it takes the call. Each is run once:
// whatever is kept of it under a key without that parameter spoils the call's own
// outputs, which are judged. They live until they are destroyed.
class EarlierPlans {
 public:
  // Whether the small calls of this kind, these dtypes and such parameters and windows
  // still want earlier plans in this process: until some of them had outputs that tell
  // (Destroy), of the first few.
  static bool AreDue(const qc_backend& table, const OperatorCall& call);

  // Any status but QC_OK is kPlans, told of `run`; so are other problems.
  EarlierPlans(const qc_backend& table, const CallRequest& request,
               const qc_answer& answer, MemoryFormat format, FormatRun& run);
  ~EarlierPlans();

  // When the call's own plan has run. Outputs of many values tell of every parameter;
  // where all are saturated, say, a wrong one is not seen.
  void Destroy(FormatRun& run);

 private:
  const std::string class_;
  struct Earlier;
  std::vector<std::unique_ptr<Earlier>> plans_;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_EARLIER_PLANS_H_
