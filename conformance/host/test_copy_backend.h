// For tests: a backend of a few lines in this process that copies bytes, with a hook in
// its run.
#ifndef QCONFORM_CONFORMANCE_HOST_TEST_COPY_BACKEND_H_
#define QCONFORM_CONFORMANCE_HOST_TEST_COPY_BACKEND_H_

#include <cstring>

#include "conformance/host/run_call.h"
#include "conformance/host/test_table.h"

namespace qconform::copy_backend {

// What the backend of a test does with one run.
inline void (*on_run)(const qc_tensor& x, qc_tensor& y) = nullptr;
inline uint32_t formats = QC_CONTIGUOUS;

inline qc_status Accept(void*, const qc_descriptor*, qc_answer* answer) {
  answer->supported = 1;
  answer->memory_formats = formats;
  return QC_OK;
}

inline qc_status Query(void* context, const qc_descriptor* d, qc_answer* answer) {
  if (d->kind == QC_RELU && d->inputs[0]->dtype == QC_U8 && d->outputs[0]->dtype == QC_U8)
    return Accept(context, d, answer);
  std::strcpy(answer->reason, "only ReLU of bytes");
  return QC_OK;
}

inline qc_status MakePlan(void*, const qc_descriptor*, const qc_tensor* const*, int32_t,
                          qc_plan** plan, qc_plan_info* info) {
  *plan = nullptr;
  std::strcpy(info->path, "copy");
  return QC_OK;
}

inline qc_status RunOnce(qc_plan*, const qc_tensor* const* inputs,
                         qc_tensor* const* outputs, void*) {
  std::memcpy(outputs[0]->data, inputs[0]->data,
              static_cast<size_t>(inputs[0]->shape[0]));
  on_run(*inputs[0], *outputs[0]);
  return QC_OK;
}

inline void Destroy(qc_plan*) {}

inline const qc_backend kTable = TestTable("copy", Query, MakePlan, RunOnce, Destroy);

// A process tries some things once for each function that runs.
template <int>
qc_status RunOf(qc_plan* plan, const qc_tensor* const* inputs, qc_tensor* const* outputs,
                void* workspace) {
  return RunOnce(plan, inputs, outputs, workspace);
}

// A page of codes: flush to a guard page and aligned at once.
inline CallReply Judge(void (*hook)(const qc_tensor&, qc_tensor&), int64_t count = 4096,
                       const qc_backend& table = kTable) {
  on_run = hook;
  CallTensor x;
  x.dtype = QC_U8;
  x.shape = {count};
  CallTensor y = x;
  x.data.assign(static_cast<size_t>(count), std::byte{7});
  OperatorCall call;
  call.kind = QC_RELU;
  call.attributes = EmptyAttributes();
  call.inputs = {x};
  call.outputs = {y};
  return RunCall(table, {call}, [](const char*) {});
}

// Of codes: a program of three is tried, the call, a ReLU and the sum of both.
inline CallReply JudgeCodes(const qc_backend& table) {
  on_run = [](const qc_tensor&, qc_tensor&) {};
  CallTensor x;
  x.dtype = QC_U8;
  x.shape = {5};
  x.scale = {0.5f};
  x.zero_point = {0};
  OperatorCall call;
  call.kind = QC_RELU;
  call.attributes = EmptyAttributes();
  call.outputs = {x};
  x.data.assign(5, std::byte{7});
  call.inputs = {x};
  return RunCall(table, {call}, [](const char*) {});
}

}  // namespace qconform::copy_backend

#endif  // QCONFORM_CONFORMANCE_HOST_TEST_COPY_BACKEND_H_
