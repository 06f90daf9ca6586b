// The Halide kernels behind the ABI: qconform_backend.h.
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "kernels/abi/qconform_backend.h"
#include "kernels/backend/config.h"
#include "kernels/backend/query.h"
#include "kernels/layout/aligned_bytes.h"
#include "kernels/target/path.h"

struct qc_plan {
  std::unique_ptr<qconform::kernels::OperatorPlan> of;
};

namespace qconform::kernels {
namespace {

template <size_t kSize>
void CopyText(char (&to)[kSize], const std::string& from) {
  const size_t length = std::min(from.size(), kSize - 1);
  std::memcpy(to, from.data(), length);
  to[length] = '\0';
}

int64_t Elements(const qc_tensor& tensor) {
  int64_t count = 1;
  for (int i = 0; i < tensor.rank; ++i) count *= tensor.shape[i];
  return count;
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
  for (int i = 0; constants != nullptr && i < descriptor.input_count; ++i) {
    if (constants[i] == nullptr || constants[i]->data != nullptr) continue;
    if (Elements(*constants[i]) > 0) {
      CopyText(info.reason, "a constant has no data");
      return QC_INVALID;
    }
  }
  std::string reason;
  auto made = std::make_unique<qc_plan>();
  made->of = answer.family->plan({descriptor, constants, answer.scheme, *answer.path,
                                  KernelsOf(*answer.path), std::max(threads, 1)},
                                 reason);
  if (made->of == nullptr) {
    CopyText(info.reason, reason);
    return QC_UNSUPPORTED;
  }
  info.workspace_alignment = kAlignment;
  info.workspace_bytes = made->of->WorkspaceBytes();
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
  if (inputs[0] == nullptr || outputs[0] == nullptr) return QC_INVALID;
  try {
    plan->of->Run(inputs, outputs, workspace);
    return QC_OK;
  } catch (const std::invalid_argument&) {
    return QC_INVALID;
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
