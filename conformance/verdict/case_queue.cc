#include "conformance/verdict/case_queue.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "conformance/verdict/turns.h"

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

// Awaits its turn and ends it, also of a case that threw before it began.
class Turn {
 public:
  Turn(Turns& turns, size_t number) : turns_(turns), number_(number) {}
  ~Turn() {
    turns_.Await(number_);
    turns_.End(number_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Turns& turns_;
  size_t number_;
};

class Queue {
 public:
  using Done = std::function<void(size_t, CaseRecord)>;

  Queue(const std::vector<CaseSource>& cases, const std::vector<size_t>& order,
        const SessionOptions& options, const Done& done)
      : cases_(cases), order_(order), options_(options), done_(done) {
    ahead_ = std::any_of(cases.begin(), cases.end(),
                         [](const CaseSource& source) { return source.prepared_ahead; });
  }

  // Until the queue is empty: while the worker has one case, the next is prepared.
  void WorkWith(const Subject& subject) {
    Turns turns;
    size_t taken = 0;
    const auto lane = [&] {
      Guard([&] {
        while (RunNext(subject, turns, taken)) continue;
      });
    };
    std::thread other;
    if (ahead_) Guard([&] { other = std::thread(lane); });
    lane();
    if (other.joinable()) other.join();
  }

  // What `work` throws stops the queue.
  template <typename Work>
  void Guard(const Work& work) {
    try {
      work();
    } catch (const Abandoned&) {
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!problem_) problem_ = std::current_exception();
      stop_ = true;
    }
  }

  void ThrowProblem() const {
    if (problem_) std::rethrow_exception(problem_);
  }

 private:
  bool IsStopped() const { return stop_ || IsInterrupted(options_); }

  bool RunNext(const Subject& subject, Turns& turns, size_t& taken) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (IsStopped() || next_ >= order_.size()) return false;
    const size_t place = order_[next_++];
    const size_t number = taken++;
    lock.unlock();
    const CaseSource& source = cases_[place];
    const Turn turn(turns, number);
    TurnTarget target(subject.worker, turns, number, [this] { return IsStopped(); });
    if (!source.prepared_ahead) target.Await();
    CallTarget& worker = source.prepared_ahead ? target : subject.worker;
    CaseRecord record = RunRepeatedly(
        source, Subject{worker, subject.identity, subject.config, subject.own_config},
        options_);
    turns.Await(number);
    lock.lock();
    done_(place, std::move(record));
    return true;
  }

  const std::vector<CaseSource>& cases_;
  const std::vector<size_t>& order_;
  const SessionOptions& options_;
  const Done& done_;
  bool ahead_ = false;
  std::mutex mutex_;  // of next_, of the turns that are taken, of done_ and problem_
  size_t next_ = 0;
  std::atomic<bool> stop_ = false;
  std::exception_ptr problem_;
};

}  // namespace

void RunCases(const std::vector<CaseSource>& cases, const std::vector<size_t>& order,
              const Subject& subject, const SessionOptions& options,
              const std::function<void(size_t, CaseRecord)>& done) {
  Queue queue(cases, order, options, done);
  std::vector<std::thread> threads;
  const size_t jobs = options.another_worker ? std::min(options.jobs, order.size()) : 1;
  for (size_t job = 1; job < jobs; ++job) {
    queue.Guard([&] {
      threads.emplace_back([&] {
        queue.Guard([&] {
          const std::unique_ptr<CallTarget> worker = options.another_worker();
          queue.WorkWith(
              Subject{*worker, subject.identity, subject.config, subject.own_config});
        });
      });
    });
  }
  queue.WorkWith(subject);
  for (std::thread& thread : threads) thread.join();
  queue.ThrowProblem();
}

}  // namespace qconform
