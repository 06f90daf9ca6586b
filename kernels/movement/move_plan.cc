#include "kernels/movement/move_plan.h"

#include <algorithm>
#include <utility>

#include "kernels/layout/parallel.h"

namespace qconform::kernels {
namespace {

// Below some twenty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialCodes = 1 << 18;

}  // namespace

void MovePlan::Add(int input, CodeMove move, const CodeTable& table) {
  std::optional<CodeLookup> rescale;
  if (!IsIdentity(table)) rescale.emplace(table, path_);
  Append({input, 0, rescale, std::move(move), 0});
}

void MovePlan::AddFill(uint8_t byte, CodeMove move) {
  Append({kFill, byte, std::nullopt, std::move(move), 0});
}

void MovePlan::Append(Step step) {
  if (step.move.Codes() == 0) return;
  step.first_item = items_;
  items_ += step.move.Items();
  codes_ += step.move.Codes();
  steps_.push_back(std::move(step));
}

void MovePlan::StageInput(CodeMove move, int64_t bytes) {
  stage_ = std::move(move);
  staged_bytes_ = bytes;
}

void MovePlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                   void* workspace) const {
  auto* const y = static_cast<uint8_t*>(outputs[0]->data);
  const auto stage = [&](int64_t item) {
    stage_->Run(item, static_cast<const uint8_t*>(inputs[0]->data),
                static_cast<uint8_t*>(workspace), nullptr);
  };
  const auto move = [&](int64_t item) {
    const auto after = std::upper_bound(
        steps_.begin(), steps_.end(), item,
        [](int64_t at, const Step& step) { return at < step.first_item; });
    const Step& step = *std::prev(after);
    const void* from = &step.fill;
    if (step.input != kFill) from = stage_ ? workspace : inputs[step.input]->data;
    step.move.Run(item - step.first_item, static_cast<const uint8_t*>(from), y,
                  step.table ? &*step.table : nullptr);
  };
  if (!stage_) return RunItems(codes_ < kSerialCodes ? 1 : threads_, items_, move);
  RunPhases(codes_ < kSerialCodes ? 1 : threads_, stage_->Items(), stage, items_, move, 0,
            [](int64_t) {});
}

}  // namespace qconform::kernels
