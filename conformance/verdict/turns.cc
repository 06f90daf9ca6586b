#include "conformance/verdict/turns.h"

#include <utility>

namespace qconform {

void Turns::Await(size_t turn) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [&] { return now_ >= turn; });
}

void Turns::End(size_t turn) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    now_ = turn + 1;
  }
  changed_.notify_all();
}

TurnTarget::TurnTarget(CallTarget& worker, Turns& turns, size_t turn,
                       std::function<bool()> stopped)
    : worker_(worker), turns_(turns), turn_(turn), stopped_(std::move(stopped)) {}

void TurnTarget::Await() {
  turns_.Await(turn_);
  if (stopped_()) throw Abandoned{};
}

const LoadedBackend& TurnTarget::Load() {
  Await();
  return worker_.Load();
}

CallOutcome TurnTarget::Call(const OperatorCall& call, CallMode mode) {
  Await();
  return worker_.Call(call, mode);
}

}  // namespace qconform
