// One operator as a primitive of oneDNN: created, packed and ready to run.
#ifndef QCONFORM_CONFORMANCE_ADAPTERS_ONEDNN_ONEDNN_PLAN_H_
#define QCONFORM_CONFORMANCE_ADAPTERS_ONEDNN_ONEDNN_PLAN_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <utility>
#include <vector>

#include "kernels/abi/qconform_backend.h"

namespace qconform::onednn {

// The accumulator times sx * sw / so (oneDNN's one scale, of the weights), plus the bias
// in units of output codes, clipped where the dtype does not do it, plus the zero point,
// rounded half to even. This is the least work that oneDNN can be asked for.
class Plan {
 public:
  // Precondition: CheckPeerCall() or CheckPeerPool() finds nothing. Throws dnnl::error
  // where oneDNN has no such primitive.
  Plan(const qc_descriptor& descriptor, const qc_tensor* const* constants, int threads);

  size_t workspace_bytes() const { return workspace_bytes_; }
  void Run(const qc_tensor* const* inputs, qc_tensor* const* outputs, void* workspace);

 private:
  // What one call hands to oneDNN; calls at the same time have one each.
  struct Arguments {
    std::vector<dnnl::memory> owned;
    std::vector<dnnl_exec_arg_t> list;
    dnnl_memory_t source, second, result, scratch;
  };

  void PlanConvolution(const qc_descriptor& descriptor,
                       const qc_tensor* const* constants);
  void PlanLinear(const qc_descriptor& descriptor, const qc_tensor* const* constants);
  void PlanPool(const qc_descriptor& descriptor);
  void PlanMatmul(const qc_descriptor& descriptor);
  void SetAttributes(const qc_descriptor& descriptor, int channel_mask);
  void Pack(const qc_tensor& weight, const dnnl::memory::desc& plain,
            const dnnl::memory::desc& packed);
  void KeepBias(const qc_descriptor& descriptor, const qc_tensor* const* constants);
  std::unique_ptr<Arguments> MakeArguments() const;

  int threads_;
  bool empty_ = false;
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::primitive_attr attributes_;
  dnnl::primitive primitive_;
  dnnl::memory::desc source_desc_, second_desc_, result_desc_, scratch_desc_;
  bool has_second_ = false;  // an activation in the place of the weights
  // Constants by oneDNN's argument number.
  std::vector<std::pair<int, dnnl::memory>> constants_;
  size_t workspace_bytes_ = 0;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Arguments>> idle_;
};

}  // namespace qconform::onednn

#endif  // QCONFORM_CONFORMANCE_ADAPTERS_ONEDNN_ONEDNN_PLAN_H_
