// A planned operator that only moves codes.
#ifndef QCONFORM_KERNELS_MOVEMENT_MOVE_PLAN_H_
#define QCONFORM_KERNELS_MOVEMENT_MOVE_PLAN_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/backend/operator_plan.h"
#include "kernels/layout/code_move.h"

namespace qconform::kernels {

class MovePlan : public OperatorPlan {
 public:
  explicit MovePlan(const PlanRequest& request)
      : path_(request.path), threads_(request.threads) {}

  // From input `input` to output 0; what one move writes no other one touches.
  void Add(int input, CodeMove move, const CodeTable& table);
  // One byte, everywhere that the move reaches.
  void AddFill(uint8_t byte, CodeMove move);
  // Before all others: input 0 in another order. They take that instead of input 0.
  void StageInput(CodeMove move, int64_t bytes);

  uint64_t WorkspaceBytes() const override {
    return static_cast<uint64_t>(staged_bytes_);
  }
  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  static constexpr int kFill = -1;
  struct Step {
    int input;
    uint8_t fill;
    std::optional<CodeLookup> table;
    CodeMove move;
    int64_t first_item;
  };
  void Append(Step step);

  Path path_;
  int threads_;
  std::optional<CodeMove> stage_;
  int64_t staged_bytes_ = 0;
  std::vector<Step> steps_;
  int64_t items_ = 0;
  int64_t codes_ = 0;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_MOVEMENT_MOVE_PLAN_H_
