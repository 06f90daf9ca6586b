// A planned operator of XNNPACK with its threads.
#ifndef QCONFORM_CONFORMANCE_ADAPTERS_XNNPACK_XNNPACK_PLAN_H_
#define QCONFORM_CONFORMANCE_ADAPTERS_XNNPACK_XNNPACK_PLAN_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "conformance/adapters/xnnpack/xnnpack_operator.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform::xnnpack {

// What query answers of an operator; with the reason where there is none.
struct Support {
  std::string reason;
  uint32_t memory_formats = QC_CONTIGUOUS;
  std::string scheme;
};
Support SupportOf(const qc_descriptor& descriptor, bool takes_u8);

class Plan {
 public:
  // Precondition: SupportOf() finds no reason against it. Throws Refusal.
  Plan(const qc_descriptor& descriptor, const qc_tensor* const* constants, int threads);

  size_t workspace_bytes() const;
  // Calls at the same time wait for one another: the sizes and addresses of a call are
  // kept in XNNPACK's operator.
  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs, void* workspace);

 private:
  struct PoolDeleter {
    void operator()(pthreadpool* pool) const { pthreadpool_destroy(pool); }
  };

  bool empty_;
  Operator operator_;
  std::unique_ptr<pthreadpool, PoolDeleter> pool_;  // none: the calling thread alone
  size_t input_bytes_[2] = {};
  size_t result_bytes_ = 0;
  std::mutex mutex_;
};

}  // namespace qconform::xnnpack

#endif  // QCONFORM_CONFORMANCE_ADAPTERS_XNNPACK_XNNPACK_PLAN_H_
