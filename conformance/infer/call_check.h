// Does a black box accept a call and compute it right?
#ifndef QCONFORM_CONFORMANCE_INFER_CALL_CHECK_H_
#define QCONFORM_CONFORMANCE_INFER_CALL_CHECK_H_

#include <optional>
#include <string>
#include <vector>

#include "conformance/contract/kernel/fit_call.h"
#include "conformance/host/call_target.h"

namespace qconform {

enum class Honour { kRight, kRefused, kWrong, kFailed };

struct CallAnswer {
  Honour honour = Honour::kRight;
  std::string why;  // the refusal's reason, "y[0,3] got 141 want 201 on ...", "CRASH..."
};

// The call, and the same on data that reach the ends of its ranges of codes, with an
// output scale that shows them; `fixed` keeps its scale. The first is the call itself,
// its codes and zero points moved into their ranges.
std::vector<OperatorCall> StressCalls(const OperatorCall& call,
                                      std::optional<CallSide> fixed);

// All of StressCalls, or the first and the last: the call itself and mixed codes.
enum class CheckedData { kAll, kFew };

class CallChecker {
 public:
  // `scheme`: under which it is compared; empty: the one that query names, or else the
  // reference's own.
  CallChecker(CallTarget& target, std::string scheme);

  // Each call is made once: bisection takes many. Refusals count for the call itself
  // alone: the others have other output scales.
  CallAnswer Check(const OperatorCall& call, std::optional<CallSide> fixed = {},
                   CheckedData data = CheckedData::kAll);

  // As `run` judges: every memory format, a second call, misaligned buffers, two threads
  // at once and a second plan, on the call's own data and on mixed codes.
  CallAnswer Judge(const OperatorCall& call);

  int64_t calls() const { return calls_; }

 private:
  CallAnswer CheckOne(const OperatorCall& call, CallMode mode);

  CallTarget& target_;
  std::string scheme_;
  int64_t calls_ = 0;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_INFER_CALL_CHECK_H_
