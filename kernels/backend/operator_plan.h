// What every family of kernels offers the backend.
#ifndef QCONFORM_KERNELS_BACKEND_OPERATOR_PLAN_H_
#define QCONFORM_KERNELS_BACKEND_OPERATOR_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>

#include "kernels/abi/qconform_backend.h"
#include "kernels/target/kernel_table.h"

namespace qconform::kernels {

// A planned operator: everything that does not depend on the activations.
class OperatorPlan {
 public:
  virtual ~OperatorPlan() = default;

  virtual uint64_t WorkspaceBytes() const { return 0; }

  // As qc_backend.run, by several threads at once. workspace: WorkspaceBytes() on a
  // boundary of kAlignment. Throws std::invalid_argument, before anything is written,
  // where data contradict the descriptor: an index outside its table.
  virtual void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                   void* workspace) const = 0;
};

struct PlanRequest {
  const qc_descriptor& descriptor;
  const qc_tensor* const* constants;  // as of qc_backend.plan: may be nullptr
  const std::string& scheme;          // that check chose
  Path path;
  const KernelTable& kernels;
  int threads;  // at least 1

  // nullptr: absent, or not constant.
  const qc_tensor* Constant(int input) const {
    return constants == nullptr || input >= descriptor.input_count ? nullptr
                                                                   : constants[input];
  }
};

struct KernelFamily {
  // Looks at the descriptor only, whose structs are whole and whose input 0 and outputs
  // exist. Answers with the first thing that is wrong, or with nothing and a scheme.
  std::string (*check)(const qc_descriptor& descriptor, std::string& scheme);
  // Precondition: check found nothing. nullptr with a reason if it cannot be planned.
  std::unique_ptr<OperatorPlan> (*plan)(const PlanRequest& request, std::string& reason);
};

const KernelFamily& ConvFamily();
const KernelFamily& LinearFamily();
const KernelFamily& MatmulFamily();
const KernelFamily& ActivationFamily();
const KernelFamily& ElementwiseFamily();
const KernelFamily& PoolFamily();
const KernelFamily& ConcatFamily();
const KernelFamily& MovementFamily();
const KernelFamily& UpsampleFamily();
const KernelFamily& NormalizeFamily();
const KernelFamily& QuantizeFamily();
const KernelFamily& SoftmaxFamily();
const KernelFamily& EmbeddingFamily();
const KernelFamily& RecurrentFamily();

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_BACKEND_OPERATOR_PLAN_H_
