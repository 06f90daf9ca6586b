#include "bench/peers/signed_call.h"

namespace qconform::bench {
namespace {

void MakeSigned(CallTensor& tensor) {
  tensor.dtype = QC_S8;
  for (int32_t& zero_point : tensor.zero_point) zero_point -= 128;
  if (tensor.quant_min != tensor.quant_max) {
    tensor.quant_min -= 128;
    tensor.quant_max -= 128;
  }
  ShiftCodes(tensor.data);
}

}  // namespace

bool HasSignedCall(const OperatorCall& call) {
  return (call.kind == QC_CONV || call.kind == QC_LINEAR) && call.inputs[0] &&
         call.inputs[0]->dtype == QC_U8 && call.outputs[0].dtype == QC_U8;
}

OperatorCall SignedCall(const OperatorCall& call) {
  OperatorCall other = call;
  MakeSigned(*other.inputs[0]);
  MakeSigned(other.outputs[0]);
  return other;
}

void ShiftCodes(std::vector<std::byte>& codes) {
  for (std::byte& code : codes) code ^= std::byte{0x80};
}

}  // namespace qconform::bench
