// One run of the reference with a descriptor that may be changed.
#ifndef QCONFORM_CONFORMANCE_SABOTEURS_EDITED_CALL_H_
#define QCONFORM_CONFORMANCE_SABOTEURS_EDITED_CALL_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "conformance/saboteurs/saboteur_plan.h"

namespace saboteur {

class EditedCall {
 public:
  EditedCall(const Plan& plan, const qc_tensor* const* run_inputs,
             qc_tensor* const* run_outputs);
  EditedCall(const EditedCall&) = delete;

  int32_t kind;
  qc_attributes attributes;
  std::vector<qc_tensor*> inputs;  // nullptr: absent
  std::vector<qc_tensor*> outputs;

  bool Has(size_t input) const { return input < inputs.size() && inputs[input]; }
  qc_tensor& x() { return *inputs[0]; }
  qc_tensor& y() { return *outputs[0]; }

  // Per tensor afterwards.
  void SetScale(qc_tensor& tensor, float scale);
  void SetZeroPoint(qc_tensor& tensor, int32_t zero_point);
  void CopyQparams(const qc_tensor& from, qc_tensor& to);
  // Each slice gets the parameters of slice `source(i)`.
  void PermuteQparams(qc_tensor& tensor, int64_t (*source)(int64_t i, int64_t count));
  // A dense copy of codes or indices, which may be written.
  std::vector<int64_t> Codes(const qc_tensor& tensor) const;
  void SetCodes(qc_tensor& tensor, const std::vector<int64_t>& codes);
  // A dense copy of whatever the elements are.
  char* OwnData(qc_tensor& tensor);
  // The padding of the attributes, with this code, inside the input.
  void PadInput(int64_t code);

  // Under the plan's scheme if it is still defined; the call as it was if nothing is.
  qc_status Run();

 private:
  const Plan& plan_;
  std::vector<const qc_tensor*> run_inputs_;
  std::vector<qc_tensor*> run_outputs_;
  std::deque<qc_tensor> tensors_;
  std::deque<std::vector<float>> scales_;
  std::deque<std::vector<int32_t>> zero_points_;
  std::deque<std::vector<char>> data_;
};

}  // namespace saboteur

#endif  // QCONFORM_CONFORMANCE_SABOTEURS_EDITED_CALL_H_
