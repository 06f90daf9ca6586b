#include "kernels/recurrent/plan.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/layout/aligned_bytes.h"
#include "kernels/layout/parallel.h"
#include "kernels/layout/strided_loop.h"
#include "kernels/recurrent/gate_functions.h"

namespace qconform::kernels {
namespace {

constexpr int kFirstWeight = 3;
constexpr int kOperands = 4;  // of a layer and direction

// Below some thirty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialProducts = 2'500'000;
constexpr int64_t kSerialUnits = 2048;

const qc_tensor* Operand(const PlanRequest& request, int64_t i) {
  return i < request.descriptor.input_count
             ? request.descriptor.inputs[static_cast<size_t>(i)]
             : nullptr;
}

// Between a tensor [batch, steps, n] or [steps, batch, n] of any strides and dense memory
// in the order of steps. States, [layers, batch, hidden], are in order as they are.
enum class Way { kIn, kOut };
template <Way kWay>
void Copy(const qc_tensor& tensor, bool swapped, float* dense) {
  std::array<int64_t, QC_MAX_RANK> strides = {};
  const int64_t n = tensor.shape[2];
  constexpr int64_t kBytes = sizeof(float);
  strides[2] = kBytes;
  strides[swapped ? 0 : 1] = n * kBytes;
  strides[swapped ? 1 : 0] = n * tensor.shape[swapped ? 0 : 1] * kBytes;
  const StridedLoop<2> loop(tensor.shape, tensor.rank,
                            {BroadcastStrides(tensor, tensor), strides});
  const auto [stride, dense_stride] = loop.RowStride();
  for (int64_t row = 0; row < loop.Rows(); ++row) {
    const auto [offset, dense_offset] = loop.Offset(row);
    char* a = static_cast<char*>(tensor.data) + offset;
    char* b = reinterpret_cast<char*>(dense) + dense_offset;
    if (kWay == Way::kOut) std::swap(a, b);
    const int64_t from_stride = kWay == Way::kIn ? stride : dense_stride;
    const int64_t to_stride = kWay == Way::kIn ? dense_stride : stride;
    if (stride == kBytes && dense_stride == kBytes) {
      std::memcpy(b, a, static_cast<size_t>(loop.RowLength() * kBytes));
      continue;
    }
    for (int64_t i = 0; i < loop.RowLength(); ++i)
      std::memcpy(b + i * to_stride, a + i * from_stride, sizeof(float));
  }
}

// The request with its states alone.
KeptConstants KeepStates(const PlanRequest& request) {
  qc_descriptor states = request.descriptor;
  states.input_count = std::min(states.input_count, kFirstWeight);
  return KeptConstants({states, request.constants, request.scheme, request.path,
                        request.kernels, request.threads});
}

}  // namespace

RecurrentPlan::RecurrentPlan(const PlanRequest& request)
    : path_(request.path),
      cell_kind_(request.descriptor.kind == QC_LSTM ? CellKind::kLstm : CellKind::kGru),
      batch_first_(request.descriptor.attributes->batch_first != 0),
      steps_(request.descriptor.inputs[0]->shape[batch_first_ ? 1 : 0]),
      batch_(request.descriptor.inputs[0]->shape[batch_first_ ? 0 : 1]),
      input_(request.descriptor.inputs[0]->shape[2]),
      hidden_(request.descriptor.attributes->hidden_size),
      layers_(std::max<int64_t>(request.descriptor.attributes->layers, 1)),
      directions_(request.descriptor.attributes->bidirectional != 0 ? 2 : 1),
      gates_(GateCount(cell_kind_) * hidden_),
      states_(KeepStates(request)),
      threads_(request.threads) {
  const int64_t products =
      steps_ * batch_ * gates_ * (hidden_ + std::max(input_, directions_ * hidden_));
  if (products < kSerialProducts) threads_ = 1;
  if (directions_ == 2 && threads_ > 1) {
    beside_ = true;
    threads_ = 1;
  }
}

std::unique_ptr<OperatorPlan> RecurrentPlan::Make(const PlanRequest& request,
                                                  std::string& reason) {
  std::unique_ptr<RecurrentPlan> plan(new RecurrentPlan(request));
  if (!plan->MakeProducts(request, reason)) return nullptr;
  plan->LayOutWorkspace();
  return plan;
}

bool RecurrentPlan::MakeProducts(const PlanRequest& request, std::string& reason) {
  products_.resize(static_cast<size_t>(layers_ * directions_));
  int64_t at = kFirstWeight;
  for (Direction& direction : products_) {
    const qc_tensor* operands[kOperands];
    for (int i = 0; i < kOperands; ++i, ++at) {
      operands[i] = request.Constant(static_cast<int>(at));
      if (operands[i] == nullptr && Operand(request, at) != nullptr) {
        reason = "weights and biases must be constants";
        return false;
      }
    }
    if (!direction.input.Make(request, operands[0], operands[2], steps_ * batch_,
                              threads_, reason) ||
        !direction.hidden.Make(request, operands[1], operands[3], batch_, threads_,
                               reason))
      return false;
  }
  return true;
}

void RecurrentPlan::LayOutWorkspace() {
  const auto floats = [](int64_t count) {
    return AlignUp(static_cast<size_t>(count) * sizeof(float));
  };
  sequence_bytes_ = floats(steps_ * batch_ * std::max(input_, directions_ * hidden_));
  state_bytes_ = floats(layers_ * directions_ * batch_ * hidden_);
  input_bytes_ = floats(steps_ * batch_ * gates_);
  step_bytes_ = floats(batch_ * gates_);
  for (const Direction& direction : products_)
    for (const GateProduct* product : {&direction.input, &direction.hidden})
      product_bytes_ =
          std::max<uint64_t>(product_bytes_, AlignUp(product->WorkspaceBytes()));
  const uint64_t scratch = input_bytes_ + step_bytes_ + product_bytes_;
  workspace_bytes_ = 2 * sequence_bytes_ + 2 * state_bytes_ + (beside_ ? 2 : 1) * scratch;
}

void RecurrentPlan::FinishStep(const float* from_input, const Scratch& scratch,
                               float* hidden, float* cell, float* y) const {
  const int threads = batch_ * hidden_ < kSerialUnits ? 1 : threads_;
  RunItems(threads, batch_, [&](int64_t b) {
    float* const h = hidden + b * hidden_;
    float* const c = cell == nullptr ? nullptr : cell + b * hidden_;
    FinishUnits(path_, cell_kind_, hidden_, from_input + b * gates_,
                scratch.from_hidden + b * gates_, h, c);
    std::memcpy(y + b * directions_ * hidden_, h,
                static_cast<size_t>(hidden_) * sizeof(float));
  });
}

void RecurrentPlan::RunDirection(int64_t layer, int64_t direction,
                                 const Sequences& sequences,
                                 const Scratch& scratch) const {
  const int64_t index = layer * directions_ + direction;
  const Direction& products = products_[static_cast<size_t>(index)];
  products.input.Run(sequences.x, scratch.from_input, scratch.product);
  const int64_t state = index * batch_ * hidden_;
  float* const hidden = sequences.hidden + state;
  float* const cell = cell_kind_ == CellKind::kLstm ? sequences.cell + state : nullptr;
  for (int64_t i = 0; i < steps_; ++i) {
    const int64_t step = direction == 1 ? steps_ - 1 - i : i;
    products.hidden.Run(hidden, scratch.from_hidden, scratch.product);
    FinishStep(scratch.from_input + step * batch_ * gates_, scratch, hidden, cell,
               sequences.y + (step * batch_ * directions_ + direction) * hidden_);
  }
}

void RecurrentPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                        void* workspace) const {
  auto* at = static_cast<std::byte*>(workspace);
  const auto take = [&](uint64_t bytes) {
    std::byte* const taken = at;
    at += bytes;
    return reinterpret_cast<float*>(taken);
  };
  Sequences sequences = {take(sequence_bytes_), take(sequence_bytes_), take(state_bytes_),
                         take(state_bytes_)};
  std::array<Scratch, 2> scratch = {};
  for (size_t i = 0; i < (beside_ ? 2 : 1); ++i)
    scratch[i] = {take(input_bytes_), take(step_bytes_), take(product_bytes_)};
  if (!beside_) scratch[1] = scratch[0];
  const bool lstm = cell_kind_ == CellKind::kLstm;
  Copy<Way::kIn>(*inputs[0], batch_first_, sequences.x);
  Copy<Way::kIn>(*states_.Get(1, inputs), false, sequences.hidden);
  if (lstm) Copy<Way::kIn>(*states_.Get(2, inputs), false, sequences.cell);
  for (int64_t layer = 0; layer < layers_; ++layer) {
    RunItems(beside_ ? 2 : 1, directions_, [&](int64_t direction) {
      RunDirection(layer, direction, sequences, scratch[static_cast<size_t>(direction)]);
    });
    std::swap(sequences.x, sequences.y);
  }
  Copy<Way::kOut>(*outputs[0], batch_first_, sequences.x);
  Copy<Way::kOut>(*outputs[1], false, sequences.hidden);
  if (lstm) Copy<Way::kOut>(*outputs[2], false, sequences.cell);
}

}  // namespace qconform::kernels
