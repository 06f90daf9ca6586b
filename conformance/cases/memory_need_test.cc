#include "conformance/cases/memory_need.h"

#include <gtest/gtest.h>

#include "conformance/cases/suite_cases.h"

namespace qconform {
namespace {

constexpr uint64_t kGibibyte = uint64_t{1} << 30;
constexpr char kLarge[] =
    "s/mean.u8u8/i2050x1048576.axes1.zx77.zy77/uniform";  // 2^31 elements and more

// A worker that may map so much and must not be called.
class SmallWorker : public NoCallTarget {
 public:
  explicit SmallWorker(uint64_t bytes) : bytes_(bytes) {}
  uint64_t MemoryLimit() const override { return bytes_; }
  using CallTarget::Call;
  CallOutcome Call(const OperatorCall&, CallMode) override {
    ++calls;
    return {};
  }
  int calls = 0;

 private:
  const uint64_t bytes_;
};

TEST(MemoryNeed, GrowsWithTheTensors) {
  const MemoryNeed need = MemoryNeedOf(RowFromId(kLarge));
  EXPECT_GT(need.worker_bytes, 8 * kGibibyte);
  EXPECT_LT(need.worker_bytes, 10 * kGibibyte);
  EXPECT_EQ(MemoryObjection(need, 0, 0), "");
  EXPECT_EQ(MemoryObjection(need, 24 * kGibibyte, 32 * kGibibyte), "");
  EXPECT_EQ(MemoryObjection(need, 8 * kGibibyte, 0),
            "not run: takes 8.3 GiB in the worker, which may map 8.0 GiB (--memory)");
  EXPECT_EQ(MemoryObjection(need, 0, 8 * kGibibyte),
            "not run: takes 12.5 GiB of memory, the machine has 8.0 GiB left");
  EXPECT_GT(AvailableMemory(), 0u);
}

TEST(MemoryNeed, WhatDoesNotFitIsSkippedNotCrashed) {
  SmallWorker worker(8 * kGibibyte);
  const CaseRecord record = SuiteCases({RowFromId(kLarge)})[0].run({worker, {}});
  EXPECT_EQ(record.verdict, Verdict::kRefused);
  EXPECT_TRUE(record.row.empty());
  EXPECT_EQ(record.id, kLarge);
  EXPECT_TRUE(record.reason.starts_with("not run: takes 8.3 GiB")) << record.reason;
  EXPECT_EQ(worker.calls, 0);
}

}  // namespace
}  // namespace qconform
