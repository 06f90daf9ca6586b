// The memory of one run of a plan: every tensor that is no constant, and the workspace,
// between guard pages.
#ifndef QCONFORM_CONFORMANCE_HOST_RUN_MEMORY_H_
#define QCONFORM_CONFORMANCE_HOST_RUN_MEMORY_H_

#include <memory>
#include <string>
#include <vector>

#include "conformance/host/abi_view.h"
#include "conformance/host/call_reply.h"
#include "conformance/host/guarded_buffer.h"

namespace qconform {

using DenseOutputs = std::vector<std::vector<std::byte>>;

// Keeps the first problem of a run.
void SetProblem(FormatRun& run, RunProblem problem, const char* phase,
                const std::string& detail);
// That of another run of the same call. Whether there is one.
bool KeepProblem(const FormatRun& other, FormatRun& run);

class RunMemory {
 public:
  // Inputs are copied in and read-only; outputs and workspace hold `output_fill`.
  // Points the view's tensors at the memory; `call` and `view` must outlive it.
  // `in_place`: output 0 is the memory of input 0, which takes the same bytes and no
  // constant.
  RunMemory(const OperatorCall& call, AbiView& view, const qc_plan_info& info,
            Placement placement, std::byte output_fill, bool in_place = false);

  // As run wants them: NULL where the input is a constant.
  const std::vector<const qc_tensor*>& inputs() const { return inputs_; }
  const std::vector<qc_tensor*>& outputs() const { return view_.outputs(); }
  std::byte* workspace() { return workspace_; }

  // A changed canary is a problem of the run.
  void CheckStrays(FormatRun& run) const;

  // Before another run in the same memory. Not in place.
  void RefillOutputs(std::byte output_fill);

  // The dense outputs. Gaps must still hold the fill.
  DenseOutputs Outputs(FormatRun& run);

 private:
  GuardedBuffer& Add(qc_tensor& tensor, const CallTensor& source, Placement placement,
                     std::byte fill, const char* word, size_t index);

  const OperatorCall& call_;
  AbiView& view_;
  std::byte output_fill_;
  std::vector<std::unique_ptr<GuardedBuffer>> buffers_;
  std::vector<std::string> labels_;
  std::vector<const qc_tensor*> inputs_;
  std::byte* workspace_ = nullptr;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_RUN_MEMORY_H_
