#include "bench/expected_codes.h"

#include <stdexcept>

#include "conformance/host/abi_view.h"
#include "reference/numerics/scalar_operator.h"

namespace qconform::bench {

std::vector<std::byte> ExpectedCodes(const OperatorCall& call) {
  AbiView view(call, MemoryFormat::kContiguous);
  view.PointAtData();
  std::vector<std::byte> codes(call.outputs[0].byte_size());
  view.output(0).data = codes.data();
  std::string reason;
  if (!DefinesOperator(view.descriptor(), &reason) ||
      RunScalarOperator(view.descriptor(), view.inputs(), view.outputs()) != QC_OK) {
    throw std::runtime_error("no scalar definition: " + reason);
  }
  return codes;
}

}  // namespace qconform::bench
