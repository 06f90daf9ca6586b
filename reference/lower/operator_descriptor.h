// An operator of a program as the structs of the ABI; data dense and row-major.
#ifndef QCONFORM_REFERENCE_LOWER_OPERATOR_DESCRIPTOR_H_
#define QCONFORM_REFERENCE_LOWER_OPERATOR_DESCRIPTOR_H_

#include <optional>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "reference/ir/tensor.h"
#include "reference/lower/program.h"

namespace qconform {

// nullopt: the ABI has no such dtype. uint8 and quint8 are both QC_U8.
std::optional<qc_dtype> AbiDType(DType dtype);

// Owns the structs and the qparams. Precondition: ranks up to QC_MAX_RANK and dtypes
// of the ABI; Lower makes no others.
class OperatorDescriptor {
 public:
  // Constants come with their data. `program` and `step` must outlive this.
  OperatorDescriptor(const Program& program, const ProgramOperator& step);
  OperatorDescriptor(const OperatorDescriptor&) = delete;
  OperatorDescriptor& operator=(const OperatorDescriptor&) = delete;

  // Points the structs at tensors of the values' dtypes and shapes.
  void SetInput(size_t index, const Tensor& tensor);
  void SetOutput(size_t index, Tensor& tensor);

  const qc_descriptor& descriptor() const { return descriptor_; }
  const std::vector<const qc_tensor*>& inputs() const { return input_pointers_; }
  const std::vector<qc_tensor*>& outputs() const { return output_pointers_; }

 private:
  struct View {
    qc_tensor tensor;
    std::vector<float> scale;
    std::vector<int32_t> zero_point;
    std::vector<float> zero_point_f32;
  };
  static void Describe(const ProgramValue& value, View& view);

  std::vector<View> inputs_;
  std::vector<View> outputs_;
  std::vector<const qc_tensor*> input_pointers_;
  std::vector<qc_tensor*> output_pointers_;
  std::vector<const qc_tensor*> const_output_pointers_;
  qc_descriptor descriptor_{};
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LOWER_OPERATOR_DESCRIPTOR_H_
