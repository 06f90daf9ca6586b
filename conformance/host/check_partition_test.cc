// What partition claims is held against query's answers.
#include "conformance/host/check_partition.h"

#include <gtest/gtest.h>

#include <string>

#include "conformance/host/test_copy_backend.h"

namespace qconform {
namespace {

using namespace copy_backend;

qc_status ClaimNothing(void*, const qc_program*, qc_claim, void*) { return QC_OK; }

qc_status ClaimAll(void*, const qc_program* program, qc_claim claim, void* sink) {
  for (int32_t i = 0; i < program->operator_count; ++i) claim(sink, &i, 1);
  return QC_OK;
}

TEST(RunCall, PartitionClaimsWhatQueryAccepts) {
  qc_backend table = kTable;
  table.partition = ClaimAll;
  EXPECT_EQ(Judge([](const qc_tensor&, qc_tensor&) {}, 17, table).runs.back().problem,
            RunProblem::kNone);
  table.partition = ClaimNothing;
  const CallReply reply = Judge([](const qc_tensor&, qc_tensor&) {}, 17, table);
  EXPECT_EQ(reply.runs.back().problem, RunProblem::kFallback);
  EXPECT_EQ(reply.runs.back().phase, "partition");
}

qc_status ClaimFirst(void*, const qc_program* program, qc_claim claim, void* sink) {
  claim(sink, &program->operators[0]->index, 1);
  return QC_OK;
}

qc_status ClaimReluInOneGroup(void*, const qc_program* program, qc_claim claim,
                              void* sink) {
  int32_t group[3], count = 0;
  for (int32_t i = 0; i < program->operator_count; ++i)
    if (program->operators[i]->descriptor->kind == QC_RELU) group[count++] = i;
  claim(sink, group, count);
  return QC_OK;
}

qc_status ClaimTwice(void* context, const qc_program* program, qc_claim claim,
                     void* sink) {
  ClaimReluInOneGroup(context, program, claim, sink);
  if (program->operator_count > 1) claim(sink, &program->operators[1]->index, 1);
  return QC_OK;
}

qc_status ClaimNone(void* context, const qc_program* program, qc_claim claim,
                    void* sink) {
  ClaimReluInOneGroup(context, program, claim, sink);
  claim(sink, nullptr, 0);
  return QC_OK;
}

qc_status ClaimNext(void* context, const qc_program* program, qc_claim claim,
                    void* sink) {
  ClaimReluInOneGroup(context, program, claim, sink);
  claim(sink, &program->operator_count, 1);
  return QC_OK;
}

TEST(RunCall, PartitionClaimsWhatQueryAcceptsOfAProgramOfThree) {
  struct Claimer {
    decltype(qc_backend::partition) partition;
    RunProblem problem;
    const char* detail;
  };
  const char of_three[] = " in a program of 3 operators";
  const Claimer claimers[] = {
      {ClaimReluInOneGroup, RunProblem::kNone, ""},
      {ClaimFirst, RunProblem::kFallback,
       "query accepts operator 1 (relu), partition does not claim it"},
      {ClaimTwice, RunProblem::kStatus,
       "partition claims operator 1 (relu) more than once"},
      {ClaimAll, RunProblem::kStatus,
       "partition claims operator 2 (add), query refuses it"},
  };
  for (const Claimer& claimer : claimers) {
    qc_backend table = kTable;
    table.run = RunOf<1>;
    table.partition = claimer.partition;
    const CallReply reply = JudgeCodes(table);
    EXPECT_EQ(reply.runs.back().problem, claimer.problem) << claimer.detail;
    EXPECT_EQ(reply.runs.back().detail,
              *claimer.detail == '\0' ? "" : claimer.detail + std::string(of_three));
  }
  qc_backend table = kTable;
  table.partition = ClaimNone;
  EXPECT_EQ(JudgeCodes(table).runs.back().detail,
            "partition claims a group of no operators in a program of 1 operator");
  table.partition = ClaimNext;
  EXPECT_EQ(JudgeCodes(table).runs.back().detail,
            "partition claims operator 1 in a program of 1 operator");
}

}  // namespace
}  // namespace qconform
