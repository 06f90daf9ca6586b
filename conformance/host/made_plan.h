// A plan of one operator call in one memory format.
#ifndef QCONFORM_CONFORMANCE_HOST_MADE_PLAN_H_
#define QCONFORM_CONFORMANCE_HOST_MADE_PLAN_H_

#include <memory>
#include <vector>

#include "conformance/host/watched_call.h"

namespace qconform {

// The constants of a call in read-only memory; the view points at them. `other`: codes
// that differ from the call's by one bit each.
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
  // Problems go to `run`; path and workspace of the run are set unless it has a path.
  MadePlan(const qc_backend& table, AbiView& view, int32_t threads, FormatRun& run);
  ~MadePlan();
  MadePlan(const MadePlan&) = delete;

  bool ok() const { return made_; }
  qc_plan* get() const { return plan_; }
  const qc_plan_info& info() const { return *info_.operator->(); }
  // Before the destructor, so that a problem is seen.
  void Destroy(FormatRun& run);

 private:
  const qc_backend& table_;
  GuardedAnswer<qc_plan_info> info_;
  qc_plan* plan_ = nullptr;
  bool made_ = false;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_MADE_PLAN_H_
