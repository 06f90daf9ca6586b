#include "conformance/verdict/case_queue.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace qconform {
namespace {

bool IsInterrupted(const SessionOptions& options) {
  return options.interrupted != nullptr && *options.interrupted != 0;
}

// A case that is repeated must give the same bits and the same verdict each time.
CaseRecord RunRepeatedly(const CaseSource& source, const Subject& subject,
                         const SessionOptions& options) {
  CaseRecord first = source.run(subject);
  for (int turn = 2; turn <= options.repeat && !IsInterrupted(options); ++turn) {
    if (IsFailed(first) || IsSkipped(first)) break;
    CaseRecord again = source.run(subject);
    const std::string when = "in repetition " + std::to_string(turn);
    if (again.verdict != first.verdict) {
      again.details.push_back(when + ", after " +
                              std::string(VerdictName(first.verdict)));
      first = std::move(again);
    } else if (again.bits != first.bits) {
      first.verdict = Verdict::kFail;
      first.level = -1;
      first.cause = "not repeatable";
      first.details.push_back("other bits " + when);
    }
  }
  first.id = source.id;
  first.group = source.group;
  return first;
}

}  // namespace

void RunCases(const std::vector<CaseSource>& cases, const std::vector<size_t>& order,
              const Subject& subject, const SessionOptions& options,
              const std::function<void(size_t, CaseRecord)>& done) {
  std::atomic<size_t> next = 0;
  std::atomic<bool> stop = false;
  std::mutex mutex;
  std::exception_ptr problem;
  const auto work = [&](const Subject& own) {
    try {
      while (!stop && !IsInterrupted(options)) {
        const size_t place = next++;
        if (place >= order.size()) return;
        CaseRecord record = RunRepeatedly(cases[order[place]], own, options);
        const std::lock_guard<std::mutex> lock(mutex);
        done(order[place], std::move(record));
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      if (!problem) problem = std::current_exception();
      stop = true;
    }
  };
  // A worker process ends with the thread that started it, so each thread has its own.
  std::vector<std::thread> threads;
  const size_t jobs = options.another_worker ? std::min(options.jobs, order.size()) : 1;
  for (size_t job = 1; job < jobs; ++job) {
    threads.emplace_back([&] {
      const std::unique_ptr<CallTarget> worker = options.another_worker();
      work(Subject{*worker, subject.identity, subject.config});
    });
  }
  work(subject);
  for (std::thread& thread : threads) thread.join();
  if (problem) std::rethrow_exception(problem);
}

}  // namespace qconform
