// The reference behind the ABI: the scalar definitions of reference/numerics as a
// backend. It shows that the harness and the golden agree with themselves, and is the
// slow, right peer of every fast backend.
#include <omp.h>

#include <algorithm>
#include <string>

#include "conformance/adapters/abi_edge.h"
#include "conformance/adapters/owned_descriptor.h"
#include "conformance/adapters/scalar/scalar_config.h"
#include "kernels/abi/qconform_backend.h"
#include "reference/numerics/block_operator.h"
#include "reference/numerics/scalar_operator.h"

namespace {

struct Plan {
  int32_t threads;
  qconform::OwnedDescriptor call;
};

qc_status Query(void*, const qc_descriptor* descriptor, qc_answer* answer) {
  return qconform::StatusOf([&] {
    std::string reason;
    if (!qconform::DefinesOperator(*descriptor, &reason)) {
      qconform::WriteText(answer->reason, reason);
      return QC_OK;
    }
    answer->supported = 1;
    answer->memory_formats = QC_CONTIGUOUS | QC_CHANNELS_LAST | QC_ANY_STRIDE;
    qconform::WriteText(answer->scheme, qconform::ScalarScheme(*descriptor));
    return QC_OK;
  });
}

qc_status MakePlan(void*, const qc_descriptor* descriptor,
                   const qc_tensor* const* constants, int32_t threads, qc_plan** plan_out,
                   qc_plan_info* info) {
  return qconform::StatusOf([&] {
    std::string reason;
    if (!qconform::DefinesOperator(*descriptor, &reason)) {
      qconform::WriteText(info->reason, reason);
      return QC_UNSUPPORTED;
    }
    auto* plan = new Plan{std::max(threads, 1),
                          {*descriptor, constants, qconform::ScalarScheme(*descriptor)}};
    qconform::WriteText(info->path, "scalar");
    *plan_out = reinterpret_cast<qc_plan*>(plan);
    return QC_OK;
  });
}

qc_status Run(qc_plan* handle, const qc_tensor* const* inputs, qc_tensor* const* outputs,
              void*) {
  return qconform::StatusOf([&] {
    const auto* plan = reinterpret_cast<const Plan*>(handle);
    omp_set_num_threads(plan->threads);
    return qconform::RunScalarOperatorInBlocks(plan->call.get(),
                                               plan->call.WithConstants(inputs),
                                               {outputs, plan->call.output_count()});
  });
}

void Destroy(qc_plan* plan) { delete reinterpret_cast<Plan*>(plan); }

}  // namespace

const qc_backend* qconform_backend(uint32_t major, uint32_t) {
  static const qc_backend table = {sizeof(qc_backend),
                                   QC_ABI_MAJOR,
                                   QC_ABI_MINOR,
                                   "scalar",
                                   QCONFORM_VERSION,
                                   ScalarConfig(),
                                   nullptr,
                                   Query,
                                   MakePlan,
                                   Run,
                                   Destroy,
                                   nullptr};
  return major == QC_ABI_MAJOR ? &table : nullptr;
}
