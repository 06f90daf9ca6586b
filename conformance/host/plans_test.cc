// Faults of a second plan, of a third run, of many threads and in place, each shown by
// one call of a backend of a few lines in this process.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "conformance/host/run_call.h"
#include "conformance/host/test_table.h"

namespace qconform {
namespace {

constexpr int64_t kCount = 16;
constexpr uint8_t kX = 7, kWeight = 40;

// y = x + w, on bytes.
struct AddPlan {
  uint8_t weight;
  int32_t threads;
  int number;
  int runs = 0;
};

// What a test has planted; reset by Judge.
struct Planted {
  bool may_alias = false;
  qc_status (*on_plan)(AddPlan& plan) = nullptr;
  // Before the sum is written; what it returns is added to the first element.
  qc_status (*on_run)(AddPlan& plan, uint8_t& spoil) = nullptr;
  void (*compute)(const uint8_t* x, uint8_t* y, uint8_t weight) = nullptr;
} planted;

int plans_made = 0;
int plans_alive = 0;
std::vector<uint8_t> weights;  // of all plans, in order

qc_status Query(void*, const qc_descriptor* d, qc_answer* answer) {
  if (d->kind != QC_ADD || d->attributes->size < sizeof(qc_attributes) ||
      d->attributes->activation != QC_ACTIVATION_NONE || d->inputs[0]->dtype != QC_U8 ||
      d->outputs[0]->dtype != QC_U8) {
    std::strcpy(answer->reason, "only sums of bytes");
    return QC_OK;
  }
  answer->supported = 1;
  answer->memory_formats = QC_CONTIGUOUS;
  answer->may_alias = planted.may_alias ? 1 : 0;
  return QC_OK;
}

qc_status MakePlan(void*, const qc_descriptor*, const qc_tensor* const* constants,
                   int32_t threads, qc_plan** out, qc_plan_info* info) {
  std::strcpy(info->path, "add");
  const uint8_t weight = *static_cast<const uint8_t*>(constants[1]->data);
  auto* plan = new AddPlan{weight, threads, ++plans_made};
  weights.push_back(weight);
  const qc_status status = planted.on_plan == nullptr ? QC_OK : planted.on_plan(*plan);
  if (status != QC_OK) {
    delete plan;
    return status;
  }
  ++plans_alive;
  *out = reinterpret_cast<qc_plan*>(plan);
  return QC_OK;
}

void Add(const uint8_t* x, uint8_t* y, uint8_t weight) {
  for (int64_t i = 0; i < kCount; ++i) y[i] = static_cast<uint8_t>(x[i] + weight);
}

qc_status Run(qc_plan* handle, const qc_tensor* const* inputs, qc_tensor* const* outputs,
              void*) {
  auto* plan = reinterpret_cast<AddPlan*>(handle);
  ++plan->runs;
  uint8_t spoil = 0;
  const qc_status status =
      planted.on_run == nullptr ? QC_OK : planted.on_run(*plan, spoil);
  if (status != QC_OK) return status;
  auto* y = static_cast<uint8_t*>(outputs[0]->data);
  (planted.compute == nullptr ? Add : planted.compute)(
      static_cast<const uint8_t*>(inputs[0]->data), y, plan->weight);
  y[0] = static_cast<uint8_t>(y[0] + spoil);
  return QC_OK;
}

void Destroy(qc_plan* plan) {
  --plans_alive;
  delete reinterpret_cast<AddPlan*>(plan);
}

// A process tries some things once for each function that runs: every test has its own.
template <int>
qc_status RunOf(qc_plan* plan, const qc_tensor* const* inputs, qc_tensor* const* outputs,
                void* workspace) {
  return Run(plan, inputs, outputs, workspace);
}

template <int kTest>
CallReply Judge(const Planted& faults, int32_t threads = 1) {
  planted = faults;
  plans_made = plans_alive = 0;
  weights.clear();
  const qc_backend table = TestTable("add", Query, MakePlan, RunOf<kTest>, Destroy);
  CallTensor x;
  x.dtype = QC_U8;
  x.shape = {kCount};
  CallTensor y = x;
  x.data.assign(static_cast<size_t>(kCount), std::byte{kX});
  CallTensor w = x;
  w.data.assign(static_cast<size_t>(kCount), std::byte{kWeight});
  w.constant = true;
  OperatorCall call;
  call.kind = QC_ADD;
  call.attributes = EmptyAttributes();
  call.inputs = {x, w};
  call.outputs = {y};
  return RunCall(table, {call, threads}, [](const char*) {});
}

// Of the last run, which has the problem.
void ExpectProblem(const CallReply& reply, RunProblem problem, const std::string& text) {
  for (const FormatRun& run : reply.runs) {
    if (run.problem == RunProblem::kNone) continue;
    EXPECT_EQ(run.problem, problem) << run.detail;
    EXPECT_NE(run.detail.find(text), std::string::npos) << run.detail;
    return;
  }
  ADD_FAILURE() << "no problem, expected " << text;
}

TEST(Plans, AnHonestBackendHasNoProblem) {
  const CallReply reply = Judge<0>({});
  ASSERT_EQ(reply.runs.size(), 2u);
  for (const FormatRun& run : reply.runs) {
    EXPECT_EQ(run.problem, RunProblem::kNone) << run.detail;
    EXPECT_EQ(run.outputs.at(0).at(0), std::byte{kX + kWeight});
  }
  EXPECT_EQ(plans_alive, 0);
  Planted alias;
  alias.may_alias = true;
  for (const FormatRun& run : Judge<1>(alias).runs)
    EXPECT_EQ(run.problem, RunProblem::kNone) << run.detail;
}

// y[i] from x[i - 1]: right unless x is overwritten meanwhile.
void ReadNeighbours(const uint8_t* x, uint8_t* y, uint8_t weight) {
  for (int64_t i = 0; i < kCount; ++i)
    y[i] = static_cast<uint8_t>(x[i == 0 ? 0 : i - 1] + weight);
}

TEST(Plans, WhatMayAliasIsRunInPlace) {
  Planted faults;
  faults.compute = ReadNeighbours;
  for (const FormatRun& run : Judge<2>(faults).runs)
    EXPECT_EQ(run.problem, RunProblem::kNone) << "never promised: " << run.detail;
  faults.may_alias = true;
  ExpectProblem(Judge<3>(faults), RunProblem::kInPlace,
                "a call in place gives other bits in 15 elements of output 0");
}

TEST(Plans, ASecondPlanMustBeMade) {
  Planted faults;
  faults.on_plan = [](AddPlan&) { return plans_alive > 0 ? QC_OUT_OF_MEMORY : QC_OK; };
  const char* const text = "plan answers QC_OUT_OF_MEMORY:  (to a second plan)";
  ExpectProblem(Judge<4>(faults), RunProblem::kPlans, text);
  // Also where the call is not the first of its kind.
  ExpectProblem(Judge<4>(faults), RunProblem::kPlans, text);
}

TEST(Plans, PlansRunSideBySide) {
  Planted faults;
  faults.on_run = [](AddPlan& plan, uint8_t&) {
    return plan.number == plans_made ? QC_OK : QC_INTERNAL;
  };
  // Also where the call is not the first of its kind.
  for (int call = 0; call < 2; ++call) {
    ExpectProblem(Judge<5>(faults), RunProblem::kPlans,
                  "run answers QC_INTERNAL beside another plan");
  }
  faults.on_run = [](AddPlan& plan, uint8_t&) {
    return plan.number == 1 && plans_made > 1 ? QC_INTERNAL : QC_OK;
  };
  ExpectProblem(Judge<15>(faults), RunProblem::kPlans,
                "run answers QC_INTERNAL beside a later plan");
}

// A cache under a key without the weights keeps the first plan's.
TEST(Plans, WeightsOfAnEarlierPlanSpoilTheCallItself) {
  Planted faults;
  faults.on_plan = [](AddPlan& plan) {
    plan.weight = weights.front();
    return QC_OK;
  };
  EXPECT_NE(Judge<6>(faults).runs.front().outputs.at(0).at(0), std::byte{kX + kWeight});
}

TEST(Plans, WeightsOfALaterPlanSpoilTheOther) {
  Planted faults;
  faults.on_run = [](AddPlan& plan, uint8_t&) {
    if (plan.number == 1 && plans_made > 1) plan.weight = weights[1];
    return QC_OK;
  };
  ExpectProblem(Judge<7>(faults), RunProblem::kPlans,
                "a call of an earlier plan, beside this one, gives other bits");
}

TEST(Plans, APlanIsRunManyTimes) {
  Planted faults;
  faults.on_run = [](AddPlan& plan, uint8_t& spoil) {
    // Beside another plan the threads' runs are counted too.
    spoil = plan.runs == 3 && plans_alive == 1 ? 1 : 0;
    return QC_OK;
  };
  ExpectProblem(Judge<8>(faults), RunProblem::kRepeat,
                "run 3 of one plan gives other bits in 1 element");
  faults.on_run = [](AddPlan& plan, uint8_t&) {
    return plan.runs == 16 && plans_alive == 1 ? QC_INTERNAL : QC_OK;
  };
  ExpectProblem(Judge<9>(faults), RunProblem::kRepeat,
                "run answers QC_INTERNAL in run 16 of one plan");
}

TEST(Plans, EveryPlanOfACallGivesTheSameBits) {
  Planted faults;
  faults.on_run = [](AddPlan& plan, uint8_t& spoil) {
    spoil = plan.number == 20 ? 1 : 0;
    return QC_OK;
  };
  ExpectProblem(Judge<10>(faults), RunProblem::kPlans,
                " of the same call gives other bits");
  faults.on_run = [](AddPlan& plan, uint8_t&) {
    return plan.number == 20 ? QC_INTERNAL : QC_OK;
  };
  ExpectProblem(Judge<11>(faults), RunProblem::kPlans,
                "run answers QC_INTERNAL to plan ");
}

TEST(Plans, ThreadsMayBeMany) {
  Planted faults;
  faults.on_run = [](AddPlan& plan, uint8_t& spoil) {
    spoil = plan.threads >= 4 ? 1 : 0;
    return QC_OK;
  };
  ExpectProblem(Judge<12>(faults), RunProblem::kThreadCount,
                "a plan for 4 threads gives other bits in 1 element");
  // Whatever the number: one of a few or of many, even or odd.
  faults.on_run = [](AddPlan& plan, uint8_t& spoil) {
    spoil = plan.threads == 4 ? 1 : 0;
    return QC_OK;
  };
  ExpectProblem(Judge<16>(faults), RunProblem::kThreadCount,
                "a plan for 4 threads gives other bits in 1 element");
  faults.on_run = [](AddPlan& plan, uint8_t& spoil) {
    spoil = plan.threads >= 8 ? 1 : 0;
    return QC_OK;
  };
  ExpectProblem(Judge<17>(faults), RunProblem::kThreadCount,
                "a plan for 8 threads gives other bits in 1 element");
  faults.on_run = [](AddPlan& plan, uint8_t& spoil) {
    spoil = plan.threads > 8 ? 1 : 0;
    return QC_OK;
  };
  ExpectProblem(Judge<18>(faults), RunProblem::kThreadCount,
                "a plan for 16 threads gives other bits in 1 element");
  // Asked for three, it is planned for one too.
  faults.on_run = [](AddPlan& plan, uint8_t& spoil) {
    spoil = plan.threads == 1 ? 1 : 0;
    return QC_OK;
  };
  ExpectProblem(Judge<13>(faults, 3), RunProblem::kThreadCount,
                "a plan for 1 thread gives other bits in 1 element");
  faults.on_run = nullptr;
  faults.on_plan = [](AddPlan& plan) { return plan.threads > 4 ? QC_INVALID : QC_OK; };
  ExpectProblem(Judge<14>(faults), RunProblem::kThreadCount,
                "plan answers QC_INVALID:  (a plan for 7 threads)");
}

}  // namespace
}  // namespace qconform
