// A plan of one operator call in one memory format.
#ifndef QCONFORM_CONFORMANCE_HOST_MADE_PLAN_H_
#define QCONFORM_CONFORMANCE_HOST_MADE_PLAN_H_

#include <memory>
#include <string>
#include <vector>

#include "conformance/host/lent_call.h"
#include "conformance/host/watched_call.h"

namespace qconform {

// Changes `data`, a copy of the tensor's: the lowest bit of each code and whole number,
// inside the tensor's range, the highest of a float's fraction; zeros of floats, and
// indices, stay.
void ChangeEach(const CallTensor& source, std::byte* data);

// The constants of a call in read-only memory; the view points at them. `other`: values
// that differ from the call's (ChangeEach).
class PlacedConstants {
 public:
  PlacedConstants(const OperatorCall& call, AbiView& view, Placement placement,
                  bool other = false);
  // From now on a touch is out of bounds.
  void TakeBack();

 private:
  std::vector<std::unique_ptr<GuardedBuffer>> buffers_;
};

class MadePlan {
 public:
  // Problems go to `run`; path and workspace of the run are set unless it has a path. The
  // descriptor is taken back when plan has returned, its constants' data are not.
  MadePlan(const qc_backend& table, AbiView& view, int32_t threads, FormatRun& run);
  ~MadePlan();
  MadePlan(const MadePlan&) = delete;

  bool ok() const { return made_; }
  qc_plan* get() const { return plan_; }
  const qc_plan_info& info() const { return *info_.operator->(); }
  // Runs in the memory, at which the view points. False: it answered something else than
  // QC_OK, which is `on_status`, told with `when` behind it. Strays and changed
  // descriptions are problems too.
  bool Run(AbiView& view, RunMemory& memory, FormatRun& run,
           RunProblem on_status = RunProblem::kStatus, const std::string& when = "");
  // Before the destructor, so that a problem is seen.
  void Destroy(FormatRun& run);

 private:
  const qc_backend& table_;
  LentCall lent_;  // so that it stays taken back as long as the plan lives
  GuardedAnswer<qc_plan_info> info_;
  qc_plan* plan_ = nullptr;
  bool made_ = false;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_MADE_PLAN_H_
