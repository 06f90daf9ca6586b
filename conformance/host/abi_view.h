// An OperatorCall as the structs of the ABI, each activation and output in one
// memory format. Owns the structs and the strides, never the data.
#ifndef QCONFORM_CONFORMANCE_HOST_ABI_VIEW_H_
#define QCONFORM_CONFORMANCE_HOST_ABI_VIEW_H_

#include <string>
#include <vector>

#include "conformance/host/memory_format.h"
#include "conformance/host/operator_call.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

// What the ABI leaves to whoever calls: the same call in other words.
enum class Spelling : uint8_t {
  kPlain,
  kLongerStructs,   // of a later minor version: what lies behind is not zero
  kFewerInputs,     // absent ones behind the last are not counted
  kNoZeroPoints,    // NULL where all are zero
  kWholeRange,      // quant_min and quant_max say what (0, 0) means
  kOnesLeftUnsaid,  // strides, dilations, kernel and groups of a convolution
};

class AbiView {
 public:
  // `call` must outlive the view. Constants are contiguous in every format.
  AbiView(const OperatorCall& call, MemoryFormat format,
          Spelling spelling = Spelling::kPlain);
  AbiView(const AbiView&) = delete;
  AbiView& operator=(const AbiView&) = delete;

  const qc_descriptor& descriptor() const { return descriptor_.of; }
  qc_descriptor& descriptor() { return descriptor_.of; }

  // Pointer arrays for plan and run; entries are NULL for absent inputs.
  const std::vector<const qc_tensor*>& inputs() const { return input_pointers_; }
  const std::vector<qc_tensor*>& outputs() const { return output_pointers_; }
  // As plan wants them: NULL where the input is no constant.
  std::vector<const qc_tensor*> constants() const;

  // A struct and room behind it, which belongs to it where its size says so.
  template <typename T>
  struct Roomy {
    T of;
    std::byte behind[64];
  };

  // What a run must leave as it is, although outputs are handed over to be written.
  struct Tensors {
    std::vector<Roomy<qc_tensor>> inputs, outputs;
  };
  Tensors tensors() const { return {inputs_, outputs_}; }
  // Puts them back; the first that had changed ("output 0"), or "".
  std::string Restore(const Tensors& tensors);

  // Inputs, constants or not, read the call's own data: for who runs without a backend.
  void PointAtData();

  qc_tensor& input(size_t index) { return inputs_[index].of; }
  qc_tensor& output(size_t index) { return outputs_[index].of; }

 private:
  void Spell(Spelling spelling);

  const OperatorCall& call_;
  std::vector<Roomy<qc_tensor>> inputs_;
  std::vector<Roomy<qc_tensor>> outputs_;
  std::vector<const qc_tensor*> input_pointers_;
  std::vector<qc_tensor*> output_pointers_;
  std::vector<const qc_tensor*> const_output_pointers_;
  Roomy<qc_attributes> attributes_;
  Roomy<qc_descriptor> descriptor_;
  qc_tensor uncounted_;  // where an input would lie that is not counted
};

// Whether it differs from the plain one.
bool HasSpelling(const OperatorCall& call, Spelling spelling);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_ABI_VIEW_H_
