// The same call in other words.
#include <algorithm>
#include <cstring>

#include "conformance/host/abi_view.h"
#include "conformance/host/code_element.h"

namespace qconform {
namespace {

constexpr int kNewerByte = 0xEE;

template <typename T>
void Lengthen(AbiView::Roomy<T>& roomy) {
  std::memset(roomy.behind, kNewerByte, sizeof roomy.behind);
  roomy.of.size = sizeof roomy;
}

bool HasZeroPointsOfZero(const CallTensor& tensor) {
  return !tensor.zero_point.empty() &&
         std::all_of(tensor.zero_point.begin(), tensor.zero_point.end(),
                     [](int32_t zero_point) { return zero_point == 0; });
}

bool LeavesRangeUnsaid(const CallTensor& tensor) {
  return IsQuantizedCode(tensor) && tensor.quant_min == 0 && tensor.quant_max == 0;
}

bool IsConvolution(const OperatorCall& call) {
  return call.kind == QC_CONV || call.kind == QC_CONV_TRANSPOSE;
}

template <typename Predicate>
bool AnyTensor(const OperatorCall& call, const Predicate& holds) {
  return std::any_of(call.inputs.begin(), call.inputs.end(),
                     [&](const auto& input) { return input && holds(*input); }) ||
         std::any_of(call.outputs.begin(), call.outputs.end(), holds);
}

void LeaveOnesUnsaid(qc_attributes& attributes) {
  for (int64_t* numbers : {attributes.stride, attributes.dilation}) {
    for (int d = 0; d < 3; ++d)
      if (numbers[d] == 1) numbers[d] = 0;
  }
  std::fill(attributes.kernel, attributes.kernel + 3, 0);
  if (attributes.groups == 1) attributes.groups = 0;
}

}  // namespace

bool HasSpelling(const OperatorCall& call, Spelling spelling) {
  switch (spelling) {
    case Spelling::kPlain:
      return false;
    case Spelling::kLongerStructs:
      return true;
    case Spelling::kFewerInputs:
      return !call.inputs.empty() && !call.inputs.back();
    case Spelling::kNoZeroPoints:
      return AnyTensor(call, HasZeroPointsOfZero);
    case Spelling::kWholeRange:
      return AnyTensor(call, LeavesRangeUnsaid);
    case Spelling::kOnesLeftUnsaid:
      return IsConvolution(call);
  }
  return false;
}

void AbiView::Spell(Spelling spelling) {
  const auto each = [this](const auto& edit) {
    for (size_t i = 0; i < inputs_.size(); ++i)
      if (call_.inputs[i]) edit(*call_.inputs[i], inputs_[i]);
    for (size_t i = 0; i < outputs_.size(); ++i) edit(call_.outputs[i], outputs_[i]);
  };
  switch (spelling) {
    case Spelling::kPlain:
      return;
    case Spelling::kLongerStructs:
      each([](const CallTensor&, Roomy<qc_tensor>& view) { Lengthen(view); });
      Lengthen(attributes_);
      Lengthen(descriptor_);
      return;
    case Spelling::kFewerInputs:
      // A float that fits nothing lies there instead.
      std::memset(&uncounted_, 0, sizeof uncounted_);
      uncounted_.size = sizeof uncounted_;
      uncounted_.dtype = QC_F32;
      uncounted_.rank = 1;
      uncounted_.quantized_axis = -1;
      uncounted_.shape[0] = 1;
      uncounted_.stride[0] = sizeof(float);
      for (size_t i = inputs_.size(); i-- > 0 && !call_.inputs[i];) {
        input_pointers_[i] = &uncounted_;
        descriptor_.of.input_count = static_cast<int32_t>(i);
      }
      return;
    case Spelling::kNoZeroPoints:
      each([](const CallTensor& tensor, Roomy<qc_tensor>& view) {
        if (HasZeroPointsOfZero(tensor)) view.of.zero_point = nullptr;
      });
      return;
    case Spelling::kWholeRange:
      each([](const CallTensor& tensor, Roomy<qc_tensor>& view) {
        if (!LeavesRangeUnsaid(tensor)) return;
        const CodeBounds all = AllCodes(tensor.dtype);
        view.of.quant_min = static_cast<int32_t>(all.min);
        view.of.quant_max = static_cast<int32_t>(all.max);
      });
      return;
    case Spelling::kOnesLeftUnsaid:
      LeaveOnesUnsaid(attributes_.of);
      return;
  }
}

}  // namespace qconform
