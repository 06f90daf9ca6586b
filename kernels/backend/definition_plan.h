// An operator by its scalar definition: the same bits, slowly.
#ifndef QCONFORM_KERNELS_BACKEND_DEFINITION_PLAN_H_
#define QCONFORM_KERNELS_BACKEND_DEFINITION_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backend/operator_plan.h"

namespace qconform::kernels {

// The kernels count bytes in 32 bits. This is for tensors without constants whose
// elements lie further apart.
class DefinitionPlan : public OperatorPlan {
 public:
  explicit DefinitionPlan(const PlanRequest& request);

  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  // A tensor with qparams of its own, whatever becomes of the caller's.
  struct Owned {
    explicit Owned(const qc_tensor& from);
    qc_tensor tensor;
    std::vector<float> scale;
    std::vector<int32_t> zero_point;
  };

  qc_attributes attributes_;
  std::string scheme_;
  int32_t kind_;
  std::vector<std::unique_ptr<Owned>> inputs_, outputs_;  // nullptr: absent
};

// Bytes from the first to the last element of the dimensions from `first` on, were all
// strides positive; whether that and every stride fit in 32 bits.
bool Fits32Bits(const qc_tensor& tensor, int first);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_BACKEND_DEFINITION_PLAN_H_
