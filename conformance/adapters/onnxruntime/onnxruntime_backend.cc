// onnxruntime behind the ABI: a peer to be timed beside and a foreign backend to be
// judged.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "conformance/adapters/abi_edge.h"
#include "conformance/adapters/onnxruntime/operator_model.h"
#include "conformance/adapters/onnxruntime/runtime_api.h"
#include "conformance/adapters/peer_call/peer_call.h"
#include "conformance/adapters/peer_call/peer_config.h"
#include "kernels/abi/qconform_backend.h"
#include "reference/numerics/abi_tensor.h"

namespace {

using namespace qconform::onnxruntime;
using Api = RuntimeApi;
using Shape = std::vector<int64_t>;

class Plan {
 public:
  Plan(const qc_descriptor& descriptor, const qc_tensor* const* constants, int threads)
      : empty_(qconform::HasNoElements(descriptor)),
        source_type_(CodeType(*descriptor.inputs[0])),
        second_type_(descriptor.input_count > 1 && descriptor.inputs[1] != nullptr
                         ? CodeType(*descriptor.inputs[1])
                         : source_type_),
        result_type_(CodeType(*descriptor.outputs[0])) {
    if (empty_) return;
    model_ = MakeOperatorModel(descriptor, constants, QCONFORM_ONNXRUNTIME_EXACT != 0);
    session_ = api_.StartSession(model_.bytes, threads);
    model_.bytes = {};
  }
  ~Plan() {
    for (const auto& bound : idle_) Release(*bound);
    api_.Release<Api::kReleaseSession>(session_);
  }
  Plan(const Plan&) = delete;

  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs) {
    if (empty_) return;
    const bool has_second = !model_.second.empty();
    void* const data[3] = {inputs[0]->data, has_second ? inputs[1]->data : nullptr,
                           outputs[0]->data};
    std::unique_ptr<Bound> bound = Take();
    Bind(*bound, 0, data[0], model_.source, source_type_);
    if (has_second) Bind(*bound, 1, data[1], model_.second, second_type_);
    Bind(*bound, 2, data[2], model_.result, result_type_);
    const char* const input_names[] = {"x", "w"};
    const char* const output_names[] = {"y"};
    try {
      api_.Call<Api::kRun>(
          session_, static_cast<const RunOptions*>(nullptr),
          static_cast<const char* const*>(input_names),
          const_cast<const Value* const*>(bound->values), size_t{has_second ? 2u : 1u},
          static_cast<const char* const*>(output_names), size_t{1}, bound->values + 2);
    } catch (...) {
      Release(*bound);
      throw;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(std::move(bound));
  }

 private:
  // Tensors around the memory of a call, kept for the next with the same memory.
  struct Bound {
    void* data[3] = {};
    Value* values[3] = {};
  };

  std::unique_ptr<Bound> Take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (idle_.empty()) return std::make_unique<Bound>();
    std::unique_ptr<Bound> bound = std::move(idle_.back());
    idle_.pop_back();
    return bound;
  }

  void Bind(Bound& bound, int place, void* data, const Shape& shape, int type) const {
    if (bound.values[place] != nullptr && bound.data[place] == data) return;
    api_.Release<Api::kReleaseValue>(bound.values[place]);
    bound.values[place] = nullptr;
    size_t bytes = 1;
    for (const int64_t size : shape) bytes *= static_cast<size_t>(size);
    api_.Call<Api::kCreateTensorWithDataAsOrtValue>(
        static_cast<const MemoryInfo*>(api_.memory_info()), data, bytes, shape.data(),
        shape.size(), type, &bound.values[place]);
    bound.data[place] = data;
  }

  void Release(Bound& bound) const {
    for (Value* value : bound.values) api_.Release<Api::kReleaseValue>(value);
  }

  const RuntimeApi& api_ = RuntimeApi::Get();
  bool empty_;
  int source_type_, second_type_, result_type_;
  OperatorModel model_;
  Session* session_ = nullptr;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Bound>> idle_;
};

std::string Check(const qc_descriptor& descriptor) {
  const std::string reason =
      qconform::IsPool(descriptor) ? qconform::CheckPeerPool(descriptor)
      : descriptor.kind == QC_ADD  ? qconform::CheckPeerAdd(descriptor)
                                   : qconform::CheckPeerCall(descriptor);
  if (!reason.empty()) return reason;
  if (descriptor.inputs[0]->dtype != descriptor.outputs[0]->dtype) {
    return "input and output are of different types";
  }
  const std::string isa = qconform::CheckUnforced("onnxruntime", qconform::FastestPath());
  if (!isa.empty()) return isa;
  RuntimeApi::Get();
  return "";
}

qc_status Query(void*, const qc_descriptor* descriptor, qc_answer* answer) {
  return qconform::StatusOf([&] {
    try {
      const std::string reason = Check(*descriptor);
      if (!reason.empty()) {
        qconform::WriteText(answer->reason, reason);
        return QC_OK;
      }
      answer->supported = 1;
      answer->memory_formats = qconform::PeerMemoryFormats(*descriptor);
      // The sum takes tensors as they lie, so long as they lie alike.
      if (descriptor->kind == QC_ADD) answer->memory_formats |= QC_CHANNELS_LAST;
      if (descriptor->kind == QC_MAX_POOL) qconform::WriteText(answer->scheme, "copy");
      if (qconform::IsWeighted(*descriptor)) {
        qconform::WriteText(answer->scheme, "f32/one/even/bias_s32/zp_after");
      }
      return QC_OK;
    } catch (const RuntimeError& error) {
      qconform::WriteText(answer->reason, error.what());
      return QC_OK;
    }
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
      auto plan = std::make_unique<Plan>(*descriptor, constants, std::max(threads, 1));
      qconform::WriteText(info->path, qconform::FastestPath());
      *plan_out = reinterpret_cast<qc_plan*>(plan.release());
      return QC_OK;
    } catch (const RuntimeError& error) {
      qconform::WriteText(info->reason, error.what());
      return QC_UNSUPPORTED;
    }
  });
}

qc_status Run(qc_plan* handle, const qc_tensor* const* inputs, qc_tensor* const* outputs,
              void*) {
  return qconform::StatusOf([&] {
    reinterpret_cast<Plan*>(handle)->Run(inputs, outputs);
    return QC_OK;
  });
}

void Destroy(qc_plan* plan) { delete reinterpret_cast<Plan*>(plan); }

std::string Version() {
  try {
    return RuntimeApi::Get().version();
  } catch (const std::exception&) {
    return "absent";
  }
}

}  // namespace

const qc_backend* qconform_backend(uint32_t major, uint32_t) {
  static const std::string version = Version();
  static const std::string config =
      qconform::PeerConfig(QCONFORM_ONNXRUNTIME_NAME, false);
  static const qc_backend table = {sizeof(qc_backend),
                                   QC_ABI_MAJOR,
                                   QC_ABI_MINOR,
                                   QCONFORM_ONNXRUNTIME_NAME,
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
