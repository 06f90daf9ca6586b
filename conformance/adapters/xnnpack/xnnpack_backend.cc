// XNNPACK behind the ABI: a peer to be timed beside and a foreign backend to be judged.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "conformance/adapters/abi_edge.h"
#include "conformance/adapters/peer_call/peer_call.h"
#include "conformance/adapters/peer_call/peer_config.h"
#include "conformance/adapters/xnnpack/xnnpack_plan.h"
#include "kernels/abi/qconform_backend.h"

namespace {

using qconform::xnnpack::Plan;
using qconform::xnnpack::Refusal;
using qconform::xnnpack::Support;

constexpr bool kTakesU8 = QCONFORM_XNNPACK_U8 != 0;

// The fastest that XNNPACK of 2022 has here: it knows no VNNI.
const char* PathName() {
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return "avx512";
  }
  if (__builtin_cpu_supports("avx2")) return "avx2";
  if (__builtin_cpu_supports("avx")) return "avx";
  return __builtin_cpu_supports("sse4.1") ? "sse41" : "sse2";
}

// A descriptor whose attributes have every field, where a caller's have fewer.
class Whole {
 public:
  explicit Whole(const qc_descriptor& given) : descriptor_(given) {
    std::memcpy(&attributes_, given.attributes,
                std::min<size_t>(given.attributes->size, sizeof attributes_));
    attributes_.size = sizeof attributes_;
    descriptor_.attributes = &attributes_;
  }
  Whole(const Whole&) = delete;
  const qc_descriptor& get() const { return descriptor_; }

 private:
  qc_attributes attributes_ = {};
  qc_descriptor descriptor_;
};

Support Check(const qc_descriptor& descriptor) {
  static const bool initialized = xnn_initialize(nullptr) == xnn_status_success;
  Support support;
  support.reason = initialized ? qconform::CheckUnforced("XNNPACK", PathName())
                               : "XNNPACK does not run on this CPU";
  return support.reason.empty() ? qconform::xnnpack::SupportOf(descriptor, kTakesU8)
                                : support;
}

qc_status Query(void*, const qc_descriptor* descriptor, qc_answer* answer) {
  return qconform::StatusOf([&] {
    const Support support = Check(Whole(*descriptor).get());
    if (!support.reason.empty()) {
      qconform::WriteText(answer->reason, support.reason);
      return QC_OK;
    }
    answer->supported = 1;
    answer->memory_formats = support.memory_formats;
    qconform::WriteText(answer->scheme, support.scheme);
    return QC_OK;
  });
}

qc_status MakePlan(void*, const qc_descriptor* descriptor,
                   const qc_tensor* const* constants, int32_t threads, qc_plan** plan_out,
                   qc_plan_info* info) {
  return qconform::StatusOf([&] {
    try {
      const Whole whole(*descriptor);
      std::string reason = Check(whole.get()).reason;
      if (reason.empty()) reason = qconform::CheckPeerConstants(whole.get(), constants);
      if (!reason.empty()) throw Refusal(reason);
      auto plan = std::make_unique<Plan>(whole.get(), constants, std::max(threads, 1));
      info->workspace_bytes = plan->workspace_bytes();
      info->workspace_alignment = 64;
      qconform::WriteText(info->path, PathName());
      *plan_out = reinterpret_cast<qc_plan*>(plan.release());
      return QC_OK;
    } catch (const Refusal& refusal) {
      qconform::WriteText(info->reason, refusal.what());
      return QC_UNSUPPORTED;
    }
  });
}

qc_status Run(qc_plan* handle, const qc_tensor* const* inputs, qc_tensor* const* outputs,
              void* workspace) {
  return qconform::StatusOf([&] {
    reinterpret_cast<Plan*>(handle)->Run(inputs, outputs, workspace);
    return QC_OK;
  });
}

void Destroy(qc_plan* plan) { delete reinterpret_cast<Plan*>(plan); }

std::string Config() {
  std::vector<qconform::PeerTypes> types;
  for (const char* bias : {"float32", "qint32"}) {
    types.push_back({"qint8", "qint8", bias});
    if (kTakesU8) types.push_back({"quint8", "quint8", bias});
  }
  return qconform::PeerConfig(QCONFORM_XNNPACK_NAME, {"Linear", "Conv1d", "Conv2d"},
                              types);
}

}  // namespace

const qc_backend* qconform_backend(uint32_t major, uint32_t) {
  static const std::string config = Config();
  static const qc_backend table = {sizeof(qc_backend),
                                   QC_ABI_MAJOR,
                                   QC_ABI_MINOR,
                                   QCONFORM_XNNPACK_NAME,
                                   QCONFORM_XNNPACK_VERSION,
                                   config.c_str(),
                                   nullptr,
                                   Query,
                                   MakePlan,
                                   Run,
                                   Destroy,
                                   nullptr};
  return major == QC_ABI_MAJOR ? &table : nullptr;
}
