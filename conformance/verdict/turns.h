// Cases that are prepared side by side take their turns at one worker.
#ifndef QCONFORM_CONFORMANCE_VERDICT_TURNS_H_
#define QCONFORM_CONFORMANCE_VERDICT_TURNS_H_

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>

#include "conformance/host/call_target.h"

namespace qconform {

// Turns 0, 1, ...: one begins when the one before it is over.
class Turns {
 public:
  // Waits until `turn` begins.
  void Await(size_t turn);
  // Precondition: `turn` has begun.
  void End(size_t turn);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t now_ = 0;
};

// The run was stopped before the case was over: it has no verdict.
struct Abandoned {};

// The worker, which a case first calls when its turn begins.
class TurnTarget : public CallTarget {
 public:
  // `stopped`: asked before every call, so that nobody waits for the other calls of a
  // case; true makes it throw Abandoned.
  TurnTarget(CallTarget& worker, Turns& turns, size_t turn,
             std::function<bool()> stopped);

  // Until the turn begins.
  void Await();
  const LoadedBackend& Load() override;
  using CallTarget::Call;
  CallOutcome Call(const OperatorCall& call, CallMode mode) override;
  bool SharesMemory() const override { return worker_.SharesMemory(); }
  uint64_t MemoryLimit() const override { return worker_.MemoryLimit(); }

 private:
  CallTarget& worker_;
  Turns& turns_;
  size_t turn_;
  std::function<bool()> stopped_;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_TURNS_H_
