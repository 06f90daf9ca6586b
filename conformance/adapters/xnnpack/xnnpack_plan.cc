#include "conformance/adapters/xnnpack/xnnpack_plan.h"

#include <cstring>

#include "conformance/adapters/peer_call/peer_call.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scalar_operator.h"

namespace qconform::xnnpack {
namespace {

constexpr size_t kPage = 4096;

bool IsImageOperator(int32_t kind) {
  return kind == QC_MAX_POOL || kind == QC_AVG_POOL || kind == QC_ADAPTIVE_AVG_POOL ||
         kind == QC_MEAN || kind == QC_UPSAMPLE;
}

bool IsElementwise(int32_t kind) {
  switch (kind) {
    case QC_ADD:
    case QC_SUB:
    case QC_MUL:
    case QC_RELU:
    case QC_RELU6:
    case QC_CLAMP:
    case QC_LEAKY_RELU:
    case QC_ELU:
    case QC_SIGMOID:
    case QC_TANH:
    case QC_SOFTMAX:
      return true;
    default:
      return false;
  }
}

std::string CheckUnweighted(const qc_descriptor& descriptor) {
  if (!IsElementwise(descriptor.kind) && !IsImageOperator(descriptor.kind)) {
    return "no such operator";
  }
  qc_descriptor any = descriptor;
  any.scheme = nullptr;
  std::string reason;
  if (!DefinesOperator(any, &reason)) return reason;
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& y = *descriptor.outputs[0];
  for (const qc_tensor* tensor : {&x, &y}) {
    if (!IsCode8(*tensor) || tensor->quantized_axis >= 0 || tensor->dtype != x.dtype) {
      return "input and output are not both u8 or both s8 codes";
    }
  }
  const int32_t activation = descriptor.attributes->activation;
  return activation == QC_ACTIVATION_NONE || activation == QC_ACTIVATION_RELU
             ? ""
             : "a fused activation other than relu";
}

Operator MakeUnweighted(const qc_descriptor& descriptor) {
  return IsImageOperator(descriptor.kind) ? MakeImage(descriptor)
                                          : MakeElementwise(descriptor);
}

size_t Padded(size_t bytes) { return (bytes + XNN_EXTRA_BYTES + 63) / 64 * 64; }

// XNNPACK reads up to XNN_EXTRA_BYTES behind a tensor. On the tensor's last page that
// touches nobody's memory.
bool MayReadBehind(const void* data, size_t bytes) {
  const size_t used = (reinterpret_cast<uintptr_t>(data) + bytes) % kPage;
  return used != 0 && kPage - used >= XNN_EXTRA_BYTES;
}

// u8 codes to the s8 codes 128 less, or back.
void Shift(const void* from, size_t bytes, void* to) {
  const auto* source = static_cast<const uint8_t*>(from);
  auto* target = static_cast<uint8_t*>(to);
  for (size_t i = 0; i < bytes; ++i) target[i] = source[i] ^ 0x80;
}

void CheckRun(xnn_status status) {
  if (status != xnn_status_success) throw std::runtime_error("XNNPACK did not run");
}

}  // namespace

void CheckCreated(xnn_status status) {
  switch (status) {
    case xnn_status_success:
      return;
    case xnn_status_unsupported_parameter:
      throw Refusal("XNNPACK does not support these sizes or qparams");
    case xnn_status_invalid_parameter:
      throw Refusal("XNNPACK holds these sizes or qparams for invalid");
    case xnn_status_unsupported_hardware:
      throw Refusal("XNNPACK has no such operator on this CPU");
    case xnn_status_out_of_memory:
      throw std::bad_alloc();
    default:
      throw std::runtime_error("XNNPACK failed");
  }
}

Support SupportOf(const qc_descriptor& descriptor, bool takes_u8) {
  Support support;
  if (IsWeighted(descriptor)) {
    support.reason = CheckWeighted(descriptor, takes_u8);
    support.memory_formats = PeerMemoryFormats(descriptor);
    support.scheme = "f32/one/even/bias_s32/zp_after";
    return support;
  }
  support.reason = CheckUnweighted(descriptor);
  if (!support.reason.empty() || HasNoElements(descriptor)) return support;
  try {
    const Operator made = MakeUnweighted(descriptor);
    support.memory_formats = made.memory_formats;
    support.scheme = made.scheme;
  } catch (const Refusal& refusal) {
    support.reason = refusal.what();
  }
  return support;
}

Plan::Plan(const qc_descriptor& descriptor, const qc_tensor* const* constants,
           int threads)
    : empty_(HasNoElements(descriptor)) {
  if (empty_) return;
  const bool weighted = IsWeighted(descriptor);
  operator_ = weighted ? MakeWeighted(descriptor, constants) : MakeUnweighted(descriptor);
  input_bytes_[0] = static_cast<size_t>(ElementCount(*descriptor.inputs[0]));
  if (!weighted && descriptor.input_count > 1) {
    input_bytes_[1] = static_cast<size_t>(ElementCount(*descriptor.inputs[1]));
  }
  result_bytes_ = static_cast<size_t>(ElementCount(*descriptor.outputs[0]));
  if (threads > 1) {
    pool_.reset(pthreadpool_create(static_cast<size_t>(threads)));
    if (pool_ == nullptr) throw std::bad_alloc();
  }
}

size_t Plan::workspace_bytes() const {
  if (empty_) return 0;
  return Padded(input_bytes_[0]) + (input_bytes_[1] == 0 ? 0 : Padded(input_bytes_[1])) +
         (operator_.reads_result ? Padded(result_bytes_) : 0);
}

void Plan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
               void* workspace) {
  if (empty_) return;
  Memory memory;
  auto* room = static_cast<std::byte*>(workspace);
  for (int i = 0; i < 2 && input_bytes_[i] > 0; ++i) {
    const void* data = inputs[i]->data;
    if (operator_.shifts) {
      Shift(data, input_bytes_[i], room);
      data = room;
    } else if (!MayReadBehind(data, input_bytes_[i])) {
      std::memcpy(room, data, input_bytes_[i]);
      data = room;
    }
    room += Padded(input_bytes_[i]);
    (i == 0 ? memory.first : memory.second) = data;
  }
  void* const result = outputs[0]->data;
  const bool copies = operator_.reads_result && !MayReadBehind(result, result_bytes_);
  memory.result = copies ? room : result;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    CheckRun(operator_.setup(operator_.handle.get(), memory, pool_.get()));
    CheckRun(xnn_run_operator(operator_.handle.get(), pool_.get()));
  }
  if (copies) std::memcpy(result, room, result_bytes_);
  if (operator_.shifts) Shift(result, result_bytes_, result);
}

}  // namespace qconform::xnnpack
