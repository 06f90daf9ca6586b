// Sessions without a backend: cases that answer by themselves.
#include "conformance/verdict/session.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

#include "conformance/verdict/journal.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

class Session : public ::testing::Test {
 protected:
  void AddCases(int count) {
    for (int i = 0; i < count; ++i) {
      const std::string id = "s/g/" + std::to_string(i);
      cases_.push_back({id, "s/g", [this, i](const Subject& subject) {
                          const std::lock_guard<std::mutex> lock(mutex_);
                          targets_.insert(&subject.worker);
                          order_.push_back(i);
                          CaseRecord record;
                          record.verdict = i % 7 == 3 ? Verdict::kFail : Verdict::kPass;
                          record.cause = "cause " + std::to_string(i);
                          return record;
                        }});
    }
  }
  SessionResult Run() { return RunSession(cases_, {target_, {}, nullptr}, options_); }

  NoCallTarget target_;
  SessionOptions options_;
  std::vector<CaseSource> cases_;
  std::mutex mutex_;
  std::set<CallTarget*> targets_;
  std::vector<int> order_;
};

TEST_F(Session, WorkersShareTheCasesAndTheResultIsTheSame) {
  AddCases(200);
  const SessionResult alone = Run();
  EXPECT_EQ(targets_.size(), 1u);
  order_.clear();
  options_.jobs = 4;
  options_.another_worker = [] { return std::make_unique<NoCallTarget>(); };
  const SessionResult together = Run();
  EXPECT_EQ(order_.size(), 200u);
  EXPECT_EQ(nlohmann::ordered_json(together.records),
            nlohmann::ordered_json(alone.records));
  EXPECT_EQ(together.summary.LastLine(), alone.summary.LastLine());
  EXPECT_EQ(together.summary.first_failure()->id, "s/g/3");
}

// Counts who calls it at once, and in which order.
class CountedTarget : public NoCallTarget {
 public:
  using CallTarget::Call;
  CallOutcome Call(const OperatorCall& call, CallMode) override {
    together_ = std::max(together_, ++inside_);
    order.push_back(call.kind);
    std::this_thread::yield();
    --inside_;
    return {};
  }
  int together() const { return together_; }
  std::vector<int> order;

 private:
  std::atomic<int> inside_ = 0;
  int together_ = 0;
};

// The second case is made before the first one has been judged; the worker and the
// journal see one after the other.
TEST_F(Session, TheNextCaseIsPreparedWhileOneRuns) {
  CountedTarget target;
  std::atomic<int> made = 0;
  bool was_ahead = false;
  for (int i = 0; i < 60; ++i) {
    const std::string id = "s/g/" + std::to_string(i);
    cases_.push_back({id, "s/g",
                      [&, i](const Subject& subject) {
                        ++made;
                        OperatorCall call;
                        call.kind = static_cast<qc_operator_kind>(i);
                        subject.worker.Call(call);
                        subject.worker.Call(call);
                        // Only the other lane can end this wait.
                        while (i == 0 && made < 2) std::this_thread::yield();
                        if (i == 0) was_ahead = true;
                        CaseRecord record;
                        record.verdict = Verdict::kPass;
                        return record;
                      },
                      i != 20});
  }
  std::vector<std::string> recorded;
  options_.on_record = [&](const CaseRecord& record, size_t, size_t) {
    recorded.push_back(record.id);
  };
  const SessionResult result = RunSession(cases_, {target, {}, nullptr}, options_);
  EXPECT_TRUE(was_ahead);
  EXPECT_EQ(target.together(), 1);
  ASSERT_EQ(target.order.size(), 120u);
  ASSERT_EQ(recorded.size(), 60u);
  for (int i = 0; i < 60; ++i) {
    EXPECT_EQ(target.order[static_cast<size_t>(2 * i)], i);
    EXPECT_EQ(target.order[static_cast<size_t>(2 * i + 1)], i);
    EXPECT_EQ(recorded[static_cast<size_t>(i)], "s/g/" + std::to_string(i));
  }
  EXPECT_EQ(result.summary.passed(), 60);
}

// What was prepared but had no turn yet is neither run nor recorded.
TEST_F(Session, AnInterruptDropsThePreparedCase) {
  CountedTarget target;
  volatile std::sig_atomic_t interrupted = 0;
  for (int i = 0; i < 10; ++i) {
    cases_.push_back({"s/g/" + std::to_string(i), "s/g",
                      [&, i](const Subject& subject) {
                        OperatorCall call;
                        call.kind = static_cast<qc_operator_kind>(i);
                        subject.worker.Call(call);
                        if (i == 4) interrupted = 1;
                        CaseRecord record;
                        record.verdict = Verdict::kPass;
                        return record;
                      },
                      true});
  }
  options_.interrupted = &interrupted;
  const SessionResult result = RunSession(cases_, {target, {}, nullptr}, options_);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.records.size(), 5u);
  EXPECT_EQ(target.order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST_F(Session, WhatAPreparedCaseThrowsLeavesTheSession) {
  AddCases(20);
  for (CaseSource& source : cases_) source.prepared_ahead = true;
  cases_[9].run = [](const Subject&) -> CaseRecord {
    throw InputError("case", "bad", "good");
  };
  EXPECT_THROW(Run(), InputError);
}

TEST_F(Session, AShuffleIsRepeatedByItsSeed) {
  AddCases(50);
  const SessionResult plain = Run();
  const std::vector<int> in_order = order_;
  options_.seed = 7;
  order_.clear();
  const SessionResult shuffled = Run();
  const std::vector<int> first = order_;
  EXPECT_NE(first, in_order);
  order_.clear();
  Run();
  EXPECT_EQ(order_, first);
  EXPECT_EQ(nlohmann::ordered_json(shuffled.records),
            nlohmann::ordered_json(plain.records));
  EXPECT_EQ(shuffled.header.seed, "7");
}

TEST_F(Session, ARepetitionThatDiffersFails) {
  int calls = 0;
  cases_.push_back({"s/g/moody", "s/g", [&calls](const Subject&) {
                      CaseRecord record;
                      record.verdict = Verdict::kPass;
                      record.bits = ++calls == 3 ? "other" : "bits";
                      return record;
                    }});
  options_.repeat = 2;
  EXPECT_EQ(Run().exit_code(), 0);
  calls = 0;
  options_.repeat = 5;
  const SessionResult result = Run();
  EXPECT_EQ(calls, 3) << "the first that differs is enough";
  EXPECT_EQ(result.records[0].cause, "not repeatable");
  EXPECT_EQ(result.records[0].details.back(), "other bits in repetition 3");
  EXPECT_EQ(result.records[0].id, "s/g/moody");
}

TEST_F(Session, WhatACaseThrowsLeavesTheSession) {
  AddCases(20);
  cases_[9].run = [](const Subject&) -> CaseRecord {
    throw InputError("case", "bad", "good");
  };
  options_.jobs = 3;
  options_.another_worker = [] { return std::make_unique<NoCallTarget>(); };
  EXPECT_THROW(Run(), InputError);
}

// Killed before the first line was whole: nothing was journalled, nothing is lost.
TEST_F(Session, ResumesAJournalWithoutAWholeLine) {
  AddCases(5);
  options_.journal = ::testing::TempDir() + "qconform_session.jsonl";
  Run();
  const auto size = std::filesystem::file_size(options_.journal);
  options_.resume = true;
  for (const uintmax_t left : {uintmax_t{0}, uintmax_t{20}}) {
    std::filesystem::resize_file(options_.journal, left);
    EXPECT_EQ(Run().resumed, 0u);
    EXPECT_EQ(ReadJournal(options_.journal).cases.size(), 5u);
  }
  std::filesystem::resize_file(options_.journal, size / 2);
  const SessionResult result = Run();
  EXPECT_GT(result.resumed, 0u);
  EXPECT_EQ(ReadJournal(options_.journal).cases.size(), 5u);
}

}  // namespace
}  // namespace qconform
