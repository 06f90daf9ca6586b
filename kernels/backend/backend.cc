// The Halide kernels behind the ABI: qconform_backend.h.
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <variant>

#include "kernels/abi/qconform_backend.h"
#include "kernels/backend/config.h"
#include "kernels/backend/query.h"
#include "kernels/conv/plan.h"
#include "kernels/linear/plan.h"
#include "kernels/target/path.h"

struct qc_plan {
  std::variant<std::unique_ptr<qconform::kernels::ConvPlan>,
               std::unique_ptr<qconform::kernels::LinearPlan>>
      of;
};

namespace qconform::kernels {
namespace {

template <size_t kSize>
void CopyText(char (&to)[kSize], const std::string& from) {
  const size_t length = std::min(from.size(), kSize - 1);
  std::memcpy(to, from.data(), length);
  to[length] = '\0';
}

qc_status Query(void*, const qc_descriptor* descriptor, qc_answer* answer) {
  if (descriptor == nullptr || answer == nullptr) return QC_INVALID;
  try {
    const Answer mine = Judge(*descriptor);
    answer->supported = mine.supported ? 1 : 0;
    CopyText(answer->reason, mine.reason);
    if (mine.supported) {
      answer->memory_formats = QC_CONTIGUOUS | QC_CHANNELS_LAST | QC_ANY_STRIDE;
      CopyText(answer->scheme, mine.scheme);
    }
    return QC_OK;
  } catch (const std::bad_alloc&) {
    return QC_OUT_OF_MEMORY;
  } catch (...) {
    return QC_INTERNAL;
  }
}

qc_status MakePlan(const qc_descriptor& descriptor, const qc_tensor* const* constants,
                   int32_t threads, qc_plan** plan, qc_plan_info& info) {
  const Answer answer = Judge(descriptor);
  if (!answer.supported) {
    CopyText(info.reason, answer.reason);
    return QC_UNSUPPORTED;
  }
  const qc_tensor* weight = constants == nullptr ? nullptr : constants[1];
  const bool has_bias = descriptor.input_count > 2 && descriptor.inputs[2] != nullptr;
  const qc_tensor* bias = has_bias ? constants[2] : nullptr;
  if (weight == nullptr || (has_bias && bias == nullptr)) {
    CopyText(info.reason, "weight and bias must be constants");
    return QC_UNSUPPORTED;
  }
  if ((weight->data == nullptr && weight->shape[0] * weight->shape[1] > 0) ||
      (bias != nullptr && bias->data == nullptr && bias->shape[0] > 0)) {
    CopyText(info.reason, "a constant has no data");
    return QC_INVALID;
  }
  const bool bias_s32 = answer.scheme == kBiasS32Scheme;
  const KernelTable& kernels = KernelsOf(*answer.path);
  auto made = std::make_unique<qc_plan>();
  std::string reason;
  uint64_t workspace = 0;
  if (descriptor.kind == QC_CONV) {
    auto conv = ConvPlan::Make(descriptor, *weight, bias, bias_s32, *answer.path, kernels,
                               threads, reason);
    if (conv != nullptr) workspace = conv->WorkspaceBytes();
    made->of = std::move(conv);
  } else {
    auto linear = LinearPlan::Make(descriptor, *weight, bias, bias_s32, *answer.path,
                                   kernels, threads, reason);
    if (linear != nullptr) workspace = linear->WorkspaceBytes();
    made->of = std::move(linear);
  }
  if (!reason.empty()) {
    CopyText(info.reason, reason);
    return QC_UNSUPPORTED;
  }
  info.workspace_alignment = kAlignment;
  info.workspace_bytes = workspace;
  CopyText(info.path, PathName(*answer.path));
  *plan = made.release();
  return QC_OK;
}

qc_status Plan(void*, const qc_descriptor* descriptor, const qc_tensor* const* constants,
               int32_t threads, qc_plan** plan, qc_plan_info* info) {
  if (descriptor == nullptr || plan == nullptr || info == nullptr) return QC_INVALID;
  *plan = nullptr;
  try {
    return MakePlan(*descriptor, constants, threads, plan, *info);
  } catch (const std::bad_alloc&) {
    CopyText(info->reason, "out of memory");
    return QC_OUT_OF_MEMORY;
  } catch (...) {
    return QC_INTERNAL;
  }
}

qc_status Run(qc_plan* plan, const qc_tensor* const* inputs, qc_tensor* const* outputs,
              void* workspace) {
  if (plan == nullptr || inputs == nullptr || outputs == nullptr) return QC_INVALID;
  const qc_tensor* x = inputs[0];
  const qc_tensor* y = outputs[0];
  if (x == nullptr || y == nullptr) return QC_INVALID;
  try {
    std::visit([&](const auto& of) { of->Run(*x, *y, workspace); }, plan->of);
    return QC_OK;
  } catch (...) {
    return QC_INTERNAL;
  }
}

void Destroy(qc_plan* plan) { delete plan; }

}  // namespace
}  // namespace qconform::kernels

extern "C" const qc_backend* qconform_backend(uint32_t major, uint32_t /*minor*/) {
  using namespace qconform::kernels;
  static const qc_backend table = {sizeof(qc_backend),
                                   QC_ABI_MAJOR,
                                   QC_ABI_MINOR,
                                   "halide",
                                   QCONFORM_VERSION,
                                   BackendConfigText(),
                                   nullptr,
                                   Query,
                                   Plan,
                                   Run,
                                   Destroy,
                                   nullptr};
  return major == QC_ABI_MAJOR ? &table : nullptr;
}
