#include "conformance/host/thread_use.h"

#include <dirent.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "conformance/host/compare_runs.h"
#include "conformance/host/made_plan.h"

namespace qconform {
namespace {

using std::chrono::nanoseconds;

constexpr int kRuns = 3;
// What the clocks of a process and of its threads, read one after the other, may be
// apart. To begin and to end alone a thread needs more.
constexpr nanoseconds kNoise{3'000};
// A pool may turn idly for some milliseconds behind its work before it goes to sleep.
constexpr useconds_t kRest = 200;
constexpr int kMostRests = 100;

nanoseconds Read(clockid_t clock) {
  timespec time = {};
  if (clock_gettime(clock, &time) != 0) return nanoseconds(0);
  return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

// The clock of a thread of this process, as pthread_getcpuclockid makes it.
clockid_t ClockOf(pid_t thread) {
  constexpr clockid_t kPerThread = 4, kScheduled = 2;
  return (~static_cast<clockid_t>(thread) << 3) | kPerThread | kScheduled;
}

bool IsAlone() {
  struct stat folder = {};
  // Two, and one for each thread.
  return stat("/proc/self/task", &folder) == 0 && folder.st_nlink == 3;
}

// Waits until no other thread runs; false if they do not come to rest.
bool AwaitRest() {
  for (int rest = 0; rest < kMostRests; ++rest) {
    if (IsAlone()) return true;
    const nanoseconds before = OtherThreads().total();
    usleep(kRest);
    if (OtherThreads().total() - before < kNoise) return true;
  }
  return false;
}

// The fewest threads, with the calling one, that ran in one of the runs; 0: not known.
int FewestThreads(AbiView& view, MadePlan& plan, RunMemory& memory, FormatRun& run) {
  int fewest = 0;
  // What a pool starts or ends for this plan it does in the first.
  for (int turn = 0; turn <= kRuns; ++turn) {
    if (!AwaitRest()) return 0;
    const OtherThreads before;
    if (!plan.Run(view, memory, run)) return 0;
    const int threads = 1 + OtherThreads().RunSince(before);
    if (turn > 0) fewest = turn == 1 ? threads : std::min(fewest, threads);
    if (fewest == 1) break;
  }
  return fewest;
}

}  // namespace

OtherThreads::OtherThreads() {
  const pid_t self = gettid();
  if (!IsAlone()) {
    DIR* const folder = opendir("/proc/self/task");
    if (folder != nullptr) {
      while (const dirent* entry = readdir(folder)) {
        const pid_t thread = std::atoi(entry->d_name);
        if (thread > 0 && thread != self) living_.emplace(thread, Read(ClockOf(thread)));
      }
      closedir(folder);
    }
  }
  const nanoseconds mine = Read(CLOCK_THREAD_CPUTIME_ID);
  total_ = Read(CLOCK_PROCESS_CPUTIME_ID) - mine;
}

int OtherThreads::RunSince(const OtherThreads& before) const {
  int threads = 0;
  nanoseconds ended = total_ - before.total_;
  for (const auto& [thread, time] : living_) {
    const auto found = before.living_.find(thread);
    const nanoseconds ran =
        time - (found == before.living_.end() ? nanoseconds(0) : found->second);
    if (ran > nanoseconds(0)) ++threads;
    ended -= ran;
  }
  return threads + (ended > kNoise ? 1 : 0);
}

bool TakeForThreads(const qc_backend& table, const OperatorCall& call) {
  constexpr size_t kMuchLarger = 4;
  static auto* const looked_at = new std::map<std::pair<const void*, int>, size_t>;
  if (call.outputs.empty() || NumElements(call.outputs[0].shape) == 0) return false;
  size_t& largest = (*looked_at)[{reinterpret_cast<const void*>(table.run), call.kind}];
  const size_t bytes = InputBytes(call) + call.outputs[0].byte_size();
  if (bytes < kMuchLarger * largest) return false;
  largest = std::max<size_t>(bytes, 1);
  return true;
}

void CheckThreads(const qc_backend& table, const CallRequest& request, FormatRun& run) {
  AbiView view(request.call, run.format);
  const PlacedConstants constants(request.call, view, Placement::kFlushToEnd);
  for (const int32_t threads : {1, 2}) {
    const Asked asked("runs for " + std::to_string(threads) +
                      (threads == 1 ? " thread" : " threads"));
    FormatRun again;
    MadePlan plan(table, view, threads, again);
    int used = 0;
    if (plan.ok()) {
      RunMemory memory(request.call, view, plan.info(), Placement::kFlushToEnd,
                       kOutputFill[1]);
      used = FewestThreads(view, plan, memory, again);
      plan.Destroy(again);
    }
    if (used > threads) {
      SetProblem(run, RunProblem::kThreadCount, "run",
                 "uses " + std::to_string(used) +
                     " threads or more where plan was given " + std::to_string(threads));
    }
    if (KeepProblem(again, run)) return;
  }
}

}  // namespace qconform
