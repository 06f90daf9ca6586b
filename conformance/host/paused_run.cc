#include "conformance/host/paused_run.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>

namespace qconform {
namespace {

// Long for a run of few elements, and short for a person: a backend that serializes its
// runs with a lock waits this long, once a call.
constexpr std::chrono::milliseconds kPatience{5};

int Signal() { return SIGRTMIN + 5; }

timespec SpecOf(std::chrono::nanoseconds time) {
  return {static_cast<time_t>(time.count() / 1'000'000'000),
          static_cast<long>(time.count() % 1'000'000'000)};
}

}  // namespace

PausedRun::PausedRun() {
  sem_init(&reached_, 0, 0);
  sem_init(&over_, 0, 0);
  struct sigaction action = {};
  action.sa_sigaction = OnTimer;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(Signal(), &action, nullptr);
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = Signal();
  event.sigev_value.sival_ptr = this;
  event._sigev_un._tid = gettid();
  has_timer_ = timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0;
}

PausedRun::~PausedRun() {
  if (has_timer_) timer_delete(timer_);
  sem_destroy(&reached_);
  sem_destroy(&over_);
}

void PausedRun::OnTimer(int, siginfo_t* info, void*) {
  auto* self = static_cast<PausedRun*>(info->si_value.sival_ptr);
  self->found_ = self->place_.load();
  if (self->found_ != Found::kWithin) return;
  const int error = errno;
  sem_post(&self->reached_);
  timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  const auto end = std::chrono::seconds(until.tv_sec) +
                   std::chrono::nanoseconds(until.tv_nsec) + kPatience;
  until = SpecOf(end);
  int result;
  while ((result = sem_clockwait(&self->over_, CLOCK_MONOTONIC, &until)) != 0 &&
         errno == EINTR) {
  }
  self->timed_out_ = result != 0;
  errno = error;
}

bool PausedRun::Run(std::chrono::nanoseconds when, const std::function<void()>& run) {
  // Setting the timer takes as long as a short run does: how long, earlier calls tell.
  static thread_local std::chrono::nanoseconds setting{0};
  timed_out_ = false;
  found_ = Found::kAfter;
  place_ = Found::kBefore;
  itimerspec once = {};
  once.it_value = SpecOf(std::max(setting + when, std::chrono::nanoseconds(1)));
  if (has_timer_) timer_settime(timer_, 0, &once, nullptr);
  place_ = Found::kWithin;
  run();
  place_ = Found::kAfter;
  const itimerspec never = {};
  if (has_timer_) timer_settime(timer_, 0, &never, nullptr);
  if (timed_out_) {
    while (sem_wait(&over_) != 0) {
    }
  }
  switch (found_) {
    case Found::kBefore:
      setting += setting / 4 + std::chrono::nanoseconds(200);
      return false;
    case Found::kWithin:
      return true;
    case Found::kAfter:
      setting -= setting / 8;
      return false;
  }
  return false;
}

void PausedRun::Finish() {
  finished_ = true;
  sem_post(&reached_);
}

bool PausedRun::WaitForPause() {
  while (sem_wait(&reached_) != 0) {
  }
  return !finished_;
}

void PausedRun::Continue() { sem_post(&over_); }

}  // namespace qconform
