// A reference tensor as the ABI sees it; owns the parameters.
#ifndef QCONFORM_CLI_PARITY_ABI_OPERAND_H_
#define QCONFORM_CLI_PARITY_ABI_OPERAND_H_

#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "reference/ir/tensor.h"

namespace qconform::parity {

class AbiOperand {
 public:
  // float32, uint8, int8, int32, int64 zero points aside; quantized dtypes as their
  // codes. Shares the tensor's memory.
  explicit AbiOperand(Tensor tensor);
  AbiOperand(const AbiOperand&) = delete;

  qc_tensor& get() { return view_; }
  const Tensor& tensor() const { return tensor_; }

 private:
  Tensor tensor_;
  std::vector<float> scales_;
  std::vector<int32_t> zero_points_;
  qc_tensor view_{};
};

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_ABI_OPERAND_H_
