#include "reference/numerics/block_operator.h"

#include <algorithm>
#include <cstddef>

#include "reference/numerics/abi_tensor.h"

namespace qconform {
namespace {

// Whether dimension 0 is only counted through.
bool KeepsDimension0(const qc_descriptor& descriptor) {
  const qc_attributes& a = *descriptor.attributes;
  switch (descriptor.kind) {
    case QC_SOFTMAX:
      return a.axis != 0;
    case QC_MEAN:
      return (a.axis_mask & 1u) == 0;
    case QC_SLICE:
      return a.start[0] == 0 && a.step[0] <= 1;
    case QC_MAX_POOL:
    case QC_AVG_POOL:
    case QC_ADAPTIVE_AVG_POOL:
      return descriptor.inputs[0]->rank == a.spatial_rank + 2;
    case QC_QUANTIZE:
    case QC_DEQUANTIZE:
    case QC_REQUANTIZE:
      return true;
    default:
      return descriptor.kind >= QC_RELU && descriptor.kind <= QC_GELU &&
             descriptor.kind != QC_PRELU;
  }
}

bool CanCut(const qc_descriptor& descriptor) {
  if (descriptor.input_count != 1 || descriptor.output_count != 1) return false;
  const qc_tensor* x = descriptor.inputs[0];
  const qc_tensor* y = descriptor.outputs[0];
  return descriptor.attributes != nullptr && x != nullptr && y != nullptr &&
         x->rank > 0 && y->rank > 0 && x->shape[0] == y->shape[0] &&
         x->quantized_axis != 0 && y->quantized_axis != 0 && KeepsDimension0(descriptor);
}

qc_tensor Block(const qc_tensor& tensor, int64_t begin, int64_t size) {
  qc_tensor block = tensor;
  block.shape[0] = size;
  if (block.data != nullptr)
    block.data = static_cast<std::byte*>(block.data) + begin * tensor.stride[0];
  return block;
}

}  // namespace

qc_status RunScalarOperatorInBlocks(const qc_descriptor& descriptor,
                                    std::span<const qc_tensor* const> inputs,
                                    std::span<qc_tensor* const> outputs,
                                    int64_t largest_block) {
  if (inputs.empty() || inputs[0] == nullptr || !CanCut(descriptor))
    return RunScalarOperator(descriptor, inputs, outputs);
  const int64_t count = inputs[0]->shape[0];
  const int64_t elements = std::max(ElementCount(*inputs[0]), ElementCount(*outputs[0]));
  if (elements <= largest_block) return RunScalarOperator(descriptor, inputs, outputs);
  const int64_t size = std::max<int64_t>(1, largest_block / (elements / count));
  for (int64_t begin = 0; begin < count; begin += size) {
    const int64_t rows = std::min(size, count - begin);
    const qc_tensor x = Block(*inputs[0], begin, rows);
    qc_tensor y = Block(*outputs[0], begin, rows);
    qc_attributes attributes = {};
    std::copy_n(reinterpret_cast<const std::byte*>(descriptor.attributes),
                std::min<size_t>(descriptor.attributes->size, sizeof attributes),
                reinterpret_cast<std::byte*>(&attributes));
    attributes.size = sizeof attributes;
    if (descriptor.kind == QC_SLICE) attributes.stop[0] = rows;
    const qc_tensor* in[] = {&x};
    qc_tensor* out[] = {&y};
    const qc_tensor* described[] = {&y};
    qc_descriptor block = descriptor;
    block.attributes = &attributes;
    block.inputs = in;
    block.outputs = described;
    const qc_status status = RunScalarOperator(block, in, out);
    if (status != QC_OK) return status;
  }
  return QC_OK;
}

}  // namespace qconform
