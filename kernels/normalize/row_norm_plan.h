// Planned instance, group and layer norm.
#ifndef QCONFORM_KERNELS_NORMALIZE_ROW_NORM_PLAN_H_
#define QCONFORM_KERNELS_NORMALIZE_ROW_NORM_PLAN_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backend/kept_constants.h"
#include "kernels/backend/operator_plan.h"
#include "kernels/layout/row_blocks.h"
#include "kernels/requantize/real_parameters.h"

namespace qconform::kernels {

class RowNormPlan : public OperatorPlan {
 public:
  static std::unique_ptr<OperatorPlan> Make(const PlanRequest& request,
                                            std::string& reason);

  uint64_t WorkspaceBytes() const override { return blocks_.WorkspaceBytes(); }
  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
           void* workspace) const override;

 private:
  // Both empty where the operator has neither.
  struct Parameters {
    std::vector<float> gamma, beta;
  };
  static Parameters Read(const KeptConstants& operands, const qc_tensor* const* inputs);

  explicit RowNormPlan(const PlanRequest& request);

  void RunGroup(int64_t first, int64_t count, const uint8_t* const* codes,
                uint8_t* const* to, const Parameters& parameters) const;
  void Finish(int64_t number, const uint8_t* codes, double mean, double scale,
              const Parameters& parameters, uint8_t* to) const;

  RowBlocks blocks_;
  KeptConstants operands_;
  Parameters parameters_;           // of constants
  std::array<double, 256> values_;  // of x by its byte
  int64_t plane_;                   // elements of a row that share gamma and beta
  int64_t channels_;                // of gamma and beta in a row
  double epsilon_;
  RealInputParameters input_;
  float lowest_, highest_;  // the fused activation's
  RealOutputParameters output_;
  NormalizeRowKernel kernel_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_NORMALIZE_ROW_NORM_PLAN_H_
