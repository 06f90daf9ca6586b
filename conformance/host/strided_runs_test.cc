// What a backend is asked that takes any stride, with one of a few lines in this process.
#include "conformance/host/strided_runs.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>

#include "conformance/host/run_call.h"
#include "conformance/host/test_table.h"

namespace qconform {
namespace {

// Of the outputs; changed by a test as a faulty backend would read them.
void (*misread)(qc_tensor& y) = nullptr;

qc_status Query(void*, const qc_descriptor* d, qc_answer* answer) {
  if (d->kind != QC_RELU || d->attributes->size < sizeof(qc_attributes) ||
      d->inputs[0]->dtype != QC_U8 || d->outputs[0]->dtype != QC_U8) {
    std::strcpy(answer->reason, "only ReLU of bytes");
    return QC_OK;
  }
  answer->supported = 1;
  answer->memory_formats = QC_ANY_STRIDE;
  return QC_OK;
}

qc_status MakePlan(void*, const qc_descriptor*, const qc_tensor* const*, int32_t,
                   qc_plan** plan, qc_plan_info* info) {
  *plan = nullptr;
  std::strcpy(info->path, "copy");
  return QC_OK;
}

// A process tries some things once for each function that runs: every test has its own.
template <int>
qc_status RunOf(qc_plan*, const qc_tensor* const* inputs, qc_tensor* const* outputs,
                void*) {
  const qc_tensor& x = *inputs[0];
  qc_tensor y = *outputs[0];
  if (misread != nullptr) misread(y);
  int64_t count = 1;
  for (int d = 0; d < x.rank; ++d) count *= x.shape[d];
  for (int64_t i = 0; i < count; ++i) {
    int64_t from = 0, to = 0, rest = i;
    for (int d = x.rank - 1; d >= 0; --d) {
      from += rest % x.shape[d] * x.stride[d];
      to += rest % x.shape[d] * y.stride[d];
      rest /= x.shape[d];
    }
    static_cast<uint8_t*>(y.data)[to] = static_cast<const uint8_t*>(x.data)[from];
  }
  return QC_OK;
}

void Destroy(qc_plan*) {}

OperatorCall CallOf(const Shape& shape) {
  CallTensor x;
  x.dtype = QC_U8;
  x.shape = shape;
  const CallTensor y = x;
  for (int64_t i = 0; i < NumElements(shape); ++i)
    x.data.push_back(static_cast<std::byte>(i * 37));
  OperatorCall call;
  call.kind = QC_RELU;
  call.attributes = EmptyAttributes();
  call.inputs = {x};
  call.outputs = {y};
  return call;
}

template <int kTest>
CallReply Judge(const Shape& shape, void (*fault)(qc_tensor& y)) {
  misread = fault;
  const qc_backend table = TestTable("copy", Query, MakePlan, RunOf<kTest>, Destroy);
  return RunCall(table, {CallOf(shape)}, [](const char*) {});
}

TEST(StridedRuns, TheFirstCallOfAKindAndRankIsRunInEveryFormat) {
  for (const Shape& shape : {Shape{37}, Shape{5, 7}, Shape{3, 4, 5}, Shape{2, 3, 4, 5}}) {
    const CallReply reply = Judge<0>(shape, nullptr);
    std::map<MemoryFormat, int> runs;
    for (const FormatRun& run : reply.runs) {
      EXPECT_EQ(run.problem, RunProblem::kNone) << run.detail;
      EXPECT_EQ(run.outputs[0], CallOf(shape).inputs[0]->data)
          << MemoryFormatName(run.format);
      ++runs[run.format];
    }
    for (const MemoryFormat format : StridedFormats(static_cast<int>(shape.size())))
      EXPECT_EQ(runs[format], 1) << MemoryFormatName(format);
  }
  // Then in one that its shape chooses, the same each time.
  const Shape shape = {2, 3, 4, 6};
  for (int time = 0; time < 2; ++time) {
    const CallReply reply = Judge<0>(shape, nullptr);
    ASSERT_EQ(reply.runs.size(), 3u);
    EXPECT_EQ(reply.runs[2].format, StridedFormatOf(CallOf(shape)));
  }
}

TEST(StridedRuns, ShapesTakeTurns) {
  std::set<MemoryFormat> formats;
  for (int64_t size = 1; size < 60; ++size)
    formats.insert(StridedFormatOf(CallOf({2, 3, 4, size})));
  EXPECT_EQ(formats.size(), StridedFormats(4).size());
  const OperatorCall large = CallOf({1 << 20});
  EXPECT_NE(StridedFormatOf(large), MemoryFormat::kApart) << "four times the memory";
}

// What is written between two rows, planes or images belongs to somebody else.
TEST(StridedRuns, GapsAreNotWritten) {
  const auto expect = [](const CallReply& reply, MemoryFormat format) {
    const FormatRun& run = reply.runs.back();
    EXPECT_EQ(run.format, format) << MemoryFormatName(run.format);
    EXPECT_EQ(run.problem, RunProblem::kBounds);
    EXPECT_EQ(run.detail, "writes between the elements of output 0");
  };
  expect(Judge<1>({2, 3, 4, 5},
                  [](qc_tensor& y) {
                    if (y.stride[3] == 1 && y.stride[2] == 5)
                      y.stride[1] = y.stride[2] * y.shape[2];
                  }),
         MemoryFormat::kPlaneGaps);
  expect(Judge<2>({2, 3, 4, 5},
                  [](qc_tensor& y) {
                    if (y.stride[3] == 1 && y.stride[1] == 20)
                      y.stride[0] = y.stride[1] * y.shape[1];
                  }),
         MemoryFormat::kImageGaps);
}

}  // namespace
}  // namespace qconform
