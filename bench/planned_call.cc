#include "bench/planned_call.h"

#include <algorithm>
#include <new>
#include <stdexcept>

#include "conformance/host/memory_format.h"

namespace qconform::bench {
namespace {

// Channels last is a format of images; matrices are rows of numbers.
MemoryFormat ChooseFormat(const OperatorCall& call, uint32_t accepted) {
  return call.kind != QC_MATMUL && (accepted & (QC_CHANNELS_LAST | QC_ANY_STRIDE)) != 0
             ? MemoryFormat::kChannelsLast
             : MemoryFormat::kContiguous;
}

}  // namespace

std::byte* PlannedCall::Allocate(size_t bytes, size_t alignment) {
  auto* data = static_cast<std::byte*>(
      ::operator new (std::max<size_t>(bytes, 1), std::align_val_t{alignment}));
  std::fill(data, data + bytes, std::byte{0});  // touches every page
  blocks_.push_back({data, alignment});
  return data;
}

PlannedCall::PlannedCall(const qc_backend& backend, const OperatorCall& call, int threads)
    : backend_(backend), call_(call) {
  view_ = std::make_unique<AbiView>(call, MemoryFormat::kContiguous);
  qc_answer answer = {};
  answer.size = sizeof answer;
  if (backend.query(backend.context, &view_->descriptor(), &answer) != QC_OK) {
    throw std::runtime_error("query failed");
  }
  if (answer.supported == 0) throw std::runtime_error(answer.reason);
  const MemoryFormat format = ChooseFormat(call, answer.memory_formats);
  view_ = std::make_unique<AbiView>(call, format);

  for (size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.inputs[i]) continue;
    const CallTensor& tensor = *call.inputs[i];
    const size_t item = AbiItemSize(tensor.dtype);
    const std::vector<int64_t> strides = StridesOf(
        tensor.shape, item, tensor.constant ? MemoryFormat::kContiguous : format);
    std::byte* data = Allocate(ExtentOf(tensor.shape, strides, item), 64);
    Scatter(tensor.data, tensor.shape, strides, item, data);
    view_->input(i).data = tensor.constant ? data : nullptr;
    if (!tensor.constant) input_data_.push_back({i, data});
  }
  const CallTensor& y = call.outputs[0];
  output_strides_ = StridesOf(y.shape, AbiItemSize(y.dtype), format);
  output_ = Allocate(ExtentOf(y.shape, output_strides_, AbiItemSize(y.dtype)), 64);

  qc_plan_info info = {};
  info.size = sizeof info;
  const std::vector<const qc_tensor*> constants = view_->constants();
  if (backend.plan(backend.context, &view_->descriptor(), constants.data(), threads,
                   &plan_, &info) != QC_OK) {
    throw std::runtime_error(std::string("plan failed: ") + info.reason);
  }
  path_ = info.path;
  workspace_ = Allocate(info.workspace_bytes,
                        info.workspace_alignment == 0 ? 64 : info.workspace_alignment);
  for (const auto& [index, data] : input_data_) view_->input(index).data = data;
  view_->output(0).data = output_;
}

PlannedCall::~PlannedCall() {
  if (plan_ != nullptr) backend_.destroy(plan_);
  for (const Block& block : blocks_) {
    ::operator delete (block.data, std::align_val_t{block.alignment});
  }
}

qc_status PlannedCall::Run() {
  return backend_.run(plan_, view_->inputs().data(), view_->outputs().data(), workspace_);
}

std::vector<std::byte> PlannedCall::Output() const {
  const CallTensor& y = call_.outputs[0];
  std::vector<std::byte> dense(y.byte_size());
  Gather(output_, y.shape, output_strides_, AbiItemSize(y.dtype), dense);
  return dense;
}

}  // namespace qconform::bench
