// Plans live side by side and know nothing of each other.
#ifndef QCONFORM_CONFORMANCE_HOST_OTHER_PLAN_H_
#define QCONFORM_CONFORMANCE_HOST_OTHER_PLAN_H_

#include <optional>

#include "conformance/host/made_plan.h"

namespace qconform {

// Whether query says of a call what it says, in `answer`, of another one. A problem that
// it has is none of the call's own.
bool AnswersAlike(const qc_backend& table, const OperatorCall& other,
                  const qc_answer& answer, MemoryFormat format);

// Makes a second plan, of other constants, and runs the first one while it lives. What
// the second plan, or the run, answers but QC_OK, and other bits, are kPlans.
void RunBesideAnotherPlan(const qc_backend& table, const CallRequest& request,
                          AbiView& view, MadePlan& plan, FormatRun& run);

// A plan of a call's operator with its shapes, but with other constants and, if query
// accepts it, twice the scale of the outputs. It is made and run before the call's own
// first plan: whatever is kept of it under too short a key (the shapes, say) spoils the
// call's own outputs, which are judged. It lives beside that plan, and is run again.
class OtherPlan {
 public:
  // Problems go to `run`.
  OtherPlan(const qc_backend& table, const CallRequest& request, const qc_answer& answer,
            MemoryFormat format, FormatRun& run);

  // When the call's own plan has run. Other bits than the first time, and any status but
  // QC_OK, are kPlans.
  void RunAgain(FormatRun& run);

 private:
  const OperatorCall call_;
  AbiView view_;
  PlacedConstants constants_;
  std::optional<MadePlan> plan_;
  DenseOutputs outputs_;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_OTHER_PLAN_H_
