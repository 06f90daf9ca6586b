// A call that a backend has planned, with all its memory, ready to be run many times.
#ifndef QCONFORM_BENCH_PLANNED_CALL_H_
#define QCONFORM_BENCH_PLANNED_CALL_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/host/abi_view.h"
#include "conformance/host/operator_call.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform::bench {

class PlannedCall {
 public:
  // Asks the backend (query, plan) and lays out input and output channels last if it
  // accepts that, else contiguous. `call` must outlive this object. Throws
  // std::runtime_error with the backend's reason.
  PlannedCall(const qc_backend& backend, const OperatorCall& call, int threads);
  ~PlannedCall();
  PlannedCall(const PlannedCall&) = delete;
  PlannedCall& operator=(const PlannedCall&) = delete;

  qc_status Run();

  const std::string& path() const { return path_; }

  // The output codes of the last run, dense and row-major.
  std::vector<std::byte> Output() const;

 private:
  std::byte* Allocate(size_t bytes, size_t alignment);

  const qc_backend& backend_;
  const OperatorCall& call_;
  std::unique_ptr<AbiView> view_;
  qc_plan* plan_ = nullptr;
  std::string path_;
  struct Block {
    std::byte* data;
    size_t alignment;
  };
  std::vector<Block> blocks_;
  std::vector<std::pair<size_t, std::byte*>> input_data_;  // of activations, by index
  std::vector<int64_t> output_strides_;
  std::byte* output_ = nullptr;
  std::byte* workspace_ = nullptr;
};

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_PLANNED_CALL_H_
