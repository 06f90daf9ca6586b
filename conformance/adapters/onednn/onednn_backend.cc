// oneDNN behind the ABI: a peer to be timed beside and a foreign backend to be judged.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "conformance/adapters/abi_edge.h"
#include "conformance/adapters/onednn/onednn_plan.h"
#include "conformance/adapters/peer_call/peer_call.h"
#include "conformance/adapters/peer_call/peer_config.h"
#include "kernels/abi/qconform_backend.h"

namespace {

using dnnl::cpu_isa;

std::string Forced() {
  const char* isa = std::getenv("QCONFORM_ISA");
  return isa == nullptr ? "" : isa;
}

// oneDNN's bound is one of the whole process and holds from the first primitive on.
std::string FixIsa() {
  const std::string forced = Forced();
  const std::pair<const char*, cpu_isa> known[] = {
      {"sse41", cpu_isa::sse41},
      {"avx2", cpu_isa::avx2},
      {"avx512", cpu_isa::avx512_core},
      {"avx512vnni", cpu_isa::avx512_core_vnni}};
  for (const auto& [name, isa] : known) {
    if (forced == name) dnnl::set_max_cpu_isa(isa);
  }
  return forced;
}

const char* PathName() {
  switch (dnnl::get_effective_cpu_isa()) {
    case cpu_isa::sse41:
      return "sse41";
    case cpu_isa::avx:
      return "avx";
    case cpu_isa::avx2:
      return "avx2";
    case cpu_isa::avx2_vnni:
    case cpu_isa::avx2_vnni_2:
      return "avxvnni";
    case cpu_isa::avx512_core:
      return "avx512";
    case cpu_isa::avx512_core_vnni:
    case cpu_isa::avx512_core_bf16:
    case cpu_isa::avx512_core_fp16:
      return "avx512vnni";
    default:
      return "avx512amx";
  }
}

// What is against a path of that name in this process.
std::string CheckIsa() {
  static const std::string fixed = FixIsa();
  const std::string forced = Forced();
  if (forced != fixed) {
    return "QCONFORM_ISA was '" + fixed + "' when oneDNN was set up, once a process";
  }
  if (!forced.empty() && forced != PathName()) {
    return "oneDNN has no path '" + forced + "' on this CPU";
  }
  return "";
}

std::string Check(const qc_descriptor& descriptor) {
  const std::string reason = qconform::IsPool(descriptor)
                                 ? qconform::CheckPeerPool(descriptor)
                                 : qconform::CheckPeerCall(descriptor);
  if (!reason.empty()) return reason;
  if (descriptor.kind == QC_MATMUL) {
    if (descriptor.inputs[1]->dtype != QC_S8) return "matmul wants a second input of s8";
    if (descriptor.inputs[0]->rank != descriptor.inputs[1]->rank ||
        descriptor.inputs[0]->rank < 2) {
      return "matmul of unlike ranks";
    }
  }
  return CheckIsa();
}

qc_status Query(void*, const qc_descriptor* descriptor, qc_answer* answer) {
  return qconform::StatusOf([&] {
    const std::string reason = Check(*descriptor);
    if (!reason.empty()) {
      qconform::WriteText(answer->reason, reason);
      return QC_OK;
    }
    answer->supported = 1;
    answer->memory_formats = qconform::PeerMemoryFormats(*descriptor);
    // Without a bias one product, one sum with the zero point, one rounding. A bias is
    // added to the product, which no scheme says: then the bound of float32 judges.
    if (qconform::IsWeighted(*descriptor) && qconform::BiasOf(*descriptor) == nullptr) {
      qconform::WriteText(answer->scheme, "f32/one/even/bias_f32/zp_before");
    }
    if (descriptor->kind == QC_MAX_POOL) qconform::WriteText(answer->scheme, "copy");
    return QC_OK;
  });
}

qc_status MakePlan(void*, const qc_descriptor* descriptor,
                   const qc_tensor* const* constants, int32_t threads, qc_plan** plan_out,
                   qc_plan_info* info) {
  return qconform::StatusOf([&] {
    try {
      std::string reason = Check(*descriptor);
      if (reason.empty()) reason = qconform::CheckPeerConstants(*descriptor, constants);
      if (!reason.empty()) {
        qconform::WriteText(info->reason, reason);
        return QC_UNSUPPORTED;
      }
      auto plan = std::make_unique<qconform::onednn::Plan>(*descriptor, constants,
                                                           std::max(threads, 1));
      info->workspace_bytes = plan->workspace_bytes();
      info->workspace_alignment = 64;
      qconform::WriteText(info->path, PathName());
      *plan_out = reinterpret_cast<qc_plan*>(plan.release());
      return QC_OK;
    } catch (const dnnl::error& error) {
      qconform::WriteText(info->reason, std::string("oneDNN: ") + error.what());
      return error.status == dnnl_unimplemented ? QC_UNSUPPORTED : QC_INTERNAL;
    }
  });
}

qc_status Run(qc_plan* handle, const qc_tensor* const* inputs, qc_tensor* const* outputs,
              void* workspace) {
  return qconform::StatusOf([&] {
    reinterpret_cast<qconform::onednn::Plan*>(handle)->Run(inputs, outputs, workspace);
    return QC_OK;
  });
}

void Destroy(qc_plan* plan) { delete reinterpret_cast<qconform::onednn::Plan*>(plan); }

std::string Version() {
  const dnnl_version_t& v = *dnnl_version();
  return std::to_string(v.major) + "." + std::to_string(v.minor) + "." +
         std::to_string(v.patch);
}

}  // namespace

const qc_backend* qconform_backend(uint32_t major, uint32_t) {
  static const std::string version = Version();
  static const std::string config = qconform::PeerConfig("onednn", true);
  static const qc_backend table = {sizeof(qc_backend),
                                   QC_ABI_MAJOR,
                                   QC_ABI_MINOR,
                                   "onednn",
                                   version.c_str(),
                                   config.c_str(),
                                   nullptr,
                                   Query,
                                   MakePlan,
                                   Run,
                                   Destroy,
                                   nullptr};
  return major == QC_ABI_MAJOR ? &table : nullptr;
}
