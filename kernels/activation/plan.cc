#include "kernels/activation/plan.h"

#include <algorithm>
#include <span>

#include "kernels/layout/buffer_view.h"
#include "kernels/layout/parallel.h"
#include "reference/numerics/scalar_operator.h"

namespace qconform::kernels {
namespace {

// A row is cut into pieces of this many codes.
constexpr int64_t kPiece = 1 << 15;

// Below some twenty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialCodes = 1 << 16;

// The operator of all 256 bytes, by its scalar definition.
bool FillTable(const qc_descriptor& descriptor, const std::string& scheme,
               std::array<uint8_t, 256>& table) {
  std::array<uint8_t, 256> bytes;
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i);
  qc_tensor x = *descriptor.inputs[0];
  qc_tensor y = *descriptor.outputs[0];
  for (qc_tensor* tensor : {&x, &y}) {
    tensor->rank = 1;
    tensor->shape[0] = static_cast<int64_t>(bytes.size());
    tensor->stride[0] = 1;
  }
  x.data = bytes.data();
  y.data = table.data();
  const qc_tensor* const input = &x;
  qc_tensor* const output = &y;
  qc_descriptor all = descriptor;
  all.inputs = &input;
  all.input_count = 1;
  all.outputs = &output;
  all.scheme = scheme.c_str();
  return RunScalarOperator(all, {&input, 1}, {&output, 1}) == QC_OK;
}

}  // namespace

std::unique_ptr<OperatorPlan> ActivationPlan::Make(const PlanRequest& request,
                                                   std::string& reason) {
  const qc_tensor& x = *request.descriptor.inputs[0];
  const qc_tensor& y = *request.descriptor.outputs[0];
  const StridedLoop<2> loop(y.shape, y.rank,
                            {BroadcastStrides(x, y), BroadcastStrides(y, y)});
  std::unique_ptr<ActivationPlan> plan(new ActivationPlan(request, loop));
  if (!FillTable(request.descriptor, request.scheme, plan->table_)) {
    reason = "the table cannot be computed";
    return nullptr;
  }
  if (loop.Rows() * loop.RowLength() < kSerialCodes) plan->threads_ = 1;
  return plan;
}

void ActivationPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                         void*) const {
  const auto* x = static_cast<const uint8_t*>(inputs[0]->data);
  auto* y = static_cast<uint8_t*>(outputs[0]->data);
  const int64_t length = loop_.RowLength();
  const auto [from_stride, to_stride] = loop_.RowStride();
  const int64_t pieces = (length + kPiece - 1) / kPiece;
  RunItems(threads_, loop_.Rows() * pieces,
           [&, from_stride = from_stride, to_stride = to_stride](int64_t item) {
             const auto offset = loop_.Offset(item / pieces);
             const int64_t begin = item % pieces * kPiece;
             const int64_t count = std::min(kPiece, length - begin);
             const uint8_t* from = x + offset[0] + begin * from_stride;
             uint8_t* to = y + offset[1] + begin * to_stride;
             if (count > 1 && (from_stride != 1 || to_stride != 1)) {
               for (int64_t i = 0; i < count; ++i)
                 to[i * to_stride] = table_[from[i * from_stride]];
               return;
             }
             const auto extent = static_cast<int32_t>(count);
             BufferView<1> input(from, {{{extent, 1}}});
             BufferView<1> table(table_.data(), {{{256, 1}}});
             BufferView<1> output(to, {{{extent, 1}}});
             kernel_(input.get(), table.get(), output.get());
           });
}

}  // namespace qconform::kernels
