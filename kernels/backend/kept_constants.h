// Operands of an operator (slopes, gamma, beta, tables) which may be constants of the
// plan or inputs of each run.
#ifndef QCONFORM_KERNELS_BACKEND_KEPT_CONSTANTS_H_
#define QCONFORM_KERNELS_BACKEND_KEPT_CONSTANTS_H_

#include <memory>
#include <vector>

#include "kernels/backend/operator_plan.h"

namespace qconform::kernels {

class KeptConstants {
 public:
  // Copies the constants from input 1 on.
  explicit KeptConstants(const PlanRequest& request);

  // Whether every operand from input 1 on is absent or constant.
  bool complete() const { return complete_; }

  // Operand `input`, from 1 on, with data; nullptr if it is absent. `run_inputs`: those
  // of qc_backend.run, or nullptr where complete.
  const qc_tensor* Get(int input, const qc_tensor* const* run_inputs) const;

 private:
  struct Copy {
    qc_tensor tensor;
    std::vector<char> data;
    std::vector<float> scale, zero_point_f32;
    std::vector<int32_t> zero_point;
  };
  enum class Source { kAbsent, kConstant, kRun };

  std::vector<Source> sources_;
  std::vector<std::unique_ptr<Copy>> copies_;
  bool complete_ = true;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_BACKEND_KEPT_CONSTANTS_H_
