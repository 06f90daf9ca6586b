// One subject's turn among others that are timed between each other.
#ifndef QCONFORM_BENCH_TURN_H_
#define QCONFORM_BENCH_TURN_H_

#include <cstdint>
#include <functional>

namespace qconform::bench {

class Turn {
 public:
  // Runs it three times, to see how long it takes: a repetition is as many runs as take
  // about two milliseconds, at least one. That is far longer than the clock's step, and
  // shorter than a scheduler's time slice.
  explicit Turn(std::function<void()> run);

  // Seconds of a run. The first, not timed, brings back the caches and the threads.
  double Take();

 private:
  double Time(int64_t count) const;

  std::function<void()> run_;
  int64_t count_ = 1;
};

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_TURN_H_
