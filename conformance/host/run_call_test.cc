// The traps that every call runs through, with a backend of a few lines in this process.
#include "conformance/host/run_call.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <cstdlib>
#include <cstring>
#include <set>

#include "conformance/host/test_copy_backend.h"

namespace qconform {
namespace {

using namespace copy_backend;

// Keeps a block for every plan.
qc_status MakePlanAndKeep(void*, const qc_descriptor*, const qc_tensor* const*, int32_t,
                          qc_plan** plan, qc_plan_info* info) {
  std::strcpy(info->path, "copy");
  static void* volatile last = nullptr;
  void** block = static_cast<void**>(std::malloc(100));
  *block = last;
  last = block;
  *plan = nullptr;
  return QC_OK;
}

void Spoil(qc_tensor& y) { static_cast<uint8_t*>(y.data)[y.shape[0] > 5 ? 5 : 0] ^= 1; }

TEST(RunCall, AnHonestBackendHasNoProblem) {
  for (const int64_t count : {0, 1, 17, 4096}) {
    const CallReply reply = Judge([](const qc_tensor&, qc_tensor&) {}, count);
    ASSERT_EQ(reply.runs.size(), 2u);
    for (const FormatRun& run : reply.runs) EXPECT_EQ(run.problem, RunProblem::kNone);
  }
}

TEST(RunCall, TwoThreadsRunAtOnce) {
  static std::atomic<int> inside;
  static std::atomic<bool> together;
  inside = 0;
  together = false;
  const CallReply reply = Judge([](const qc_tensor&, qc_tensor& y) {
    ++inside;
    // Long enough for the other one to come in, if there is one.
    for (int wait = 0; wait < 20 && inside < 2; ++wait) usleep(1000);
    if (inside > 1) together = true;
    if (together) Spoil(y);
    usleep(2000);
    --inside;
  });
  EXPECT_TRUE(together);
  EXPECT_EQ(reply.runs.back().problem, RunProblem::kThreads);
  EXPECT_NE(reply.runs.back().detail.find(
                "a call from two threads at once gives other bits in 1 element"),
            std::string::npos)
      << reply.runs.back().detail;
}

TEST(RunCall, BuffersAreAlsoAlignedToTheirElementsOnly) {
  const CallReply reply = Judge([](const qc_tensor& x, qc_tensor& y) {
    if (reinterpret_cast<uintptr_t>(x.data) % 4 != 0) Spoil(y);
  });
  EXPECT_EQ(reply.runs.back().problem, RunProblem::kMisaligned);
  EXPECT_EQ(reply.runs.back().detail,
            "a call with buffers aligned to their elements only gives other bits in 1 "
            "element of output 0, the first at 5");
}

TEST(RunCall, WhatTheAbiDoesNotHaveIsRefusedInWords) {
  qc_backend table = kTable;
  table.run = RunOf<2>;
  table.query = Accept;
  const CallReply accepts = JudgeCodes(table);
  EXPECT_EQ(accepts.runs.front().problem, RunProblem::kUnknownValue);
  EXPECT_EQ(accepts.runs.front().detail,
            "query accepts operator kind 44, which the ABI does not have");
  table.run = RunOf<3>;
  table.query = [](void* context, const qc_descriptor* d, qc_answer* answer) {
    return d->kind == QC_RELU ? Query(context, d, answer) : QC_UNSUPPORTED;
  };
  EXPECT_EQ(JudgeCodes(table).runs.front().detail,
            "query answers QC_UNSUPPORTED to operator kind 44, where it is to say no");
  table.run = RunOf<4>;
  table.query = [](void* context, const qc_descriptor* d, qc_answer* answer) {
    Query(context, d, answer);
    if (d->kind == QC_RELU) answer->reason[0] = '\0';
    return QC_OK;
  };
  EXPECT_EQ(JudgeCodes(table).runs.front().detail,
            "query refuses dtype 13 of input 0 without a word");
  // Attributes that end behind their size.
  table.run = RunOf<5>;
  table.query = [](void* context, const qc_descriptor* d, qc_answer* answer) {
    Query(context, d, answer);
    if (d->attributes->size < sizeof(qc_attributes)) answer->may_alias = 1;
    return QC_OK;
  };
  EXPECT_EQ(JudgeCodes(table).runs.front().detail,
            "query answers otherwise to attributes of 8 bytes: another word on aliasing");
}

TEST(RunCall, TheSameCallInOtherWordsGivesTheSame) {
  qc_backend table = kTable;
  table.run = RunOf<6>;
  table.query = [](void* context, const qc_descriptor* d, qc_answer* answer) {
    if (d->size == sizeof *d) return Query(context, d, answer);
    std::strcpy(answer->reason, "another release");
    return QC_OK;
  };
  const CallReply refuses = JudgeCodes(table);
  EXPECT_EQ(refuses.runs.front().problem, RunProblem::kSpelling);
  EXPECT_EQ(refuses.runs.front().detail,
            "query answers otherwise to structs of a later minor version: yes, then no");
  table = kTable;
  table.run = [](qc_plan* plan, const qc_tensor* const* inputs, qc_tensor* const* outputs,
                 void* workspace) {
    const qc_status status = RunOf<7>(plan, inputs, outputs, workspace);
    if (inputs[0]->zero_point == nullptr) Spoil(*outputs[0]);
    return status;
  };
  const CallReply computes = JudgeCodes(table);
  EXPECT_EQ(computes.runs.front().problem, RunProblem::kSpelling);
  EXPECT_EQ(computes.runs.front().detail.find("NULL for zero points that are all zero "
                                              "gives other bits in 1 element"),
            0u)
      << computes.runs.front().detail;
}

TEST(RunCall, TheFloatingPointEnvironmentStaysAsItWas) {
  const CallReply reply =
      Judge([](const qc_tensor&, qc_tensor&) { std::fesetround(FE_UPWARD); });
  EXPECT_EQ(reply.runs.back().problem, RunProblem::kEnvironment);
  EXPECT_EQ(reply.runs.back().detail.find("run leaves another rounding mode behind"), 0u)
      << reply.runs.back().detail;
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

#if defined(__x86_64__)
TEST(RunCall, TheX87StaysAsItWas) {
  const auto control = [] {
    uint16_t now = 0;
    __asm__ volatile("fnstcw %0" : "=m"(now));
    return now;
  };
  const uint16_t before = control();
  // 24 bits in place of 64.
  const CallReply precise = Judge([](const qc_tensor&, qc_tensor&) {
    const uint16_t single = 0x007F;
    __asm__ volatile("fldcw %0" : : "m"(single));
  });
  EXPECT_EQ(precise.runs.back().problem, RunProblem::kEnvironment);
  EXPECT_EQ(precise.runs.back().detail.find("run leaves another precision"), 0u)
      << precise.runs.back().detail;
  EXPECT_EQ(control(), before);
  const CallReply multimedia = Judge([](const qc_tensor&, qc_tensor&) {
    __asm__ volatile("pxor %%mm0, %%mm0" : : :);
  });
  EXPECT_EQ(multimedia.runs.back().problem, RunProblem::kEnvironment);
  EXPECT_EQ(multimedia.runs.back().detail.find("run leaves registers of the x87 in use"),
            0u)
      << multimedia.runs.back().detail;
  const volatile long double one = 1;
  EXPECT_EQ(one + one, 2) << "the registers are free again";
}
#endif

TEST(RunCall, DescriptionsStayAsTheyWere) {
  const CallReply reply = Judge([](const qc_tensor&, qc_tensor& y) { y.rank = 0; });
  EXPECT_EQ(reply.runs.back().problem, RunProblem::kBounds);
  EXPECT_EQ(reply.runs.back().detail.find("changes the description of output 0"), 0u)
      << reply.runs.back().detail;
}

TEST(RunCall, WhatPlanTookIsGivenBack) {
  qc_backend table = kTable;
  table.plan = MakePlanAndKeep;
  table.run = RunOf<0>;
  const CallReply reply = Judge([](const qc_tensor&, qc_tensor&) {}, 17, table);
  EXPECT_EQ(reply.runs.front().problem, RunProblem::kLeak);
  EXPECT_EQ(reply.runs.front().detail.find("keeps memory: "), 0u)
      << reply.runs.front().detail;
}

// Of a later minor version; its only run would compare nothing.
TEST(RunCall, FormatsThatNobodyKnowsAreContiguous) {
  qc_backend table = kTable;
  ++table.abi_minor;
  formats = 64;
  EXPECT_FALSE(Judge([](const qc_tensor&, qc_tensor&) {}, 17, table).runs.empty());
  EXPECT_FALSE(AllowedFormats(64, 4, MemoryFormat::kApart).empty());
  formats = QC_CONTIGUOUS;
}

void ExpectAnswerProblem(const qc_backend& table, RunProblem problem,
                         const std::string& detail) {
  const CallReply reply = Judge([](const qc_tensor&, qc_tensor&) {}, 17, table);
  EXPECT_EQ(reply.runs.back().problem, problem) << detail;
  EXPECT_EQ(reply.runs.back().detail.find(detail), 0u) << reply.runs.back().detail;
}

TEST(RunCall, AnswersAreOnesThatTheAbiHas) {
  qc_backend table = kTable;
  table.query = [](void*, const qc_descriptor*, qc_answer* answer) {
    answer->supported = 2;
    answer->memory_formats = QC_CONTIGUOUS;
    return QC_OK;
  };
  ExpectAnswerProblem(table, RunProblem::kInvalidAnswer,
                      "query answers with supported 2, expected 1 or 0");
  formats = 64 | QC_CONTIGUOUS;
  ExpectAnswerProblem(
      kTable, RunProblem::kInvalidAnswer,
      "query answers with bits 64 in memory_formats, which the ABI does not have");
  formats = 0;
  ExpectAnswerProblem(kTable, RunProblem::kInvalidAnswer,
                      "query answers with yes and no memory format, expected one");
  formats = QC_CONTIGUOUS;
  table = kTable;
  table.plan = [](void*, const qc_descriptor*, const qc_tensor* const*, int32_t,
                  qc_plan** plan, qc_plan_info* info) {
    *plan = nullptr;
    std::strcpy(info->path, "copy");
    info->workspace_alignment = 3;
    return QC_OK;
  };
  ExpectAnswerProblem(table, RunProblem::kInvalidAnswer,
                      "plan asks for a workspace aligned to 3 bytes, expected a power of "
                      "two or 0");
  table.plan = [](void*, const qc_descriptor*, const qc_tensor* const*, int32_t,
                  qc_plan** plan, qc_plan_info*) {
    *plan = nullptr;
    return QC_OK;
  };
  ExpectAnswerProblem(table, RunProblem::kPath, "plan names no path, expected one");
}

}  // namespace
}  // namespace qconform
