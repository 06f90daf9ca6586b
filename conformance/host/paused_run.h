// A run that stops in its middle while another thread's begins and ends.
#ifndef QCONFORM_CONFORMANCE_HOST_PAUSED_RUN_H_
#define QCONFORM_CONFORMANCE_HOST_PAUSED_RUN_H_

#include <semaphore.h>
#include <signal.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <functional>

namespace qconform {

// Two runs at once meet by chance only, on one processor hardly ever. Here a timer stops
// the first where it happens to be, until the second has run as a whole.
class PausedRun {
 public:
  // Pauses runs of the calling thread.
  PausedRun();
  ~PausedRun();
  PausedRun(const PausedRun&) = delete;
  PausedRun& operator=(const PausedRun&) = delete;

  // The first thread: runs, and stops about `when` after its begin; false when the timer
  // ran out outside of the run. Who waits for the other in a lock is let go on.
  bool Run(std::chrono::nanoseconds when, const std::function<void()>& run);
  // Whether the last pause ended before the other run did: the backend locks.
  bool timed_out() const { return timed_out_; }
  // The first thread: there will be no more runs.
  void Finish();

  // The second thread: waits for a pause; false when there will be none.
  bool WaitForPause();
  void Continue();

 private:
  // Where the timer found the first thread.
  enum class Found { kBefore, kWithin, kAfter };

  static void OnTimer(int, siginfo_t* info, void*);

  timer_t timer_{};
  bool has_timer_ = false;
  // Where the first thread is, and was when the timer ran out.
  std::atomic<Found> place_ = Found::kAfter;
  std::atomic<Found> found_ = Found::kAfter;
  std::atomic<bool> timed_out_ = false;
  std::atomic<bool> finished_ = false;
  sem_t reached_, over_;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_PAUSED_RUN_H_
