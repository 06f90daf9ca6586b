#include "conformance/compare/reference_outputs.h"

#include "conformance/host/abi_view.h"
#include "reference/numerics/block_operator.h"

namespace qconform {

std::optional<std::vector<Bytes>> ReferenceOutputs(const OperatorCall& call,
                                                   const std::string& scheme) {
  AbiView view(call, MemoryFormat::kContiguous);
  view.descriptor().scheme = scheme.empty() ? nullptr : scheme.c_str();
  if (!DefinesOperator(view.descriptor())) return std::nullopt;
  view.PointAtData();
  std::vector<Bytes> outputs;
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    outputs.emplace_back(call.outputs[i].byte_size());
    view.output(i).data = outputs.back().data();
  }
  if (RunScalarOperatorInBlocks(view.descriptor(), view.inputs(), view.outputs()) !=
      QC_OK)
    return std::nullopt;
  return outputs;
}

std::string ReferenceObjection(const OperatorCall& call) {
  AbiView view(call, MemoryFormat::kContiguous);
  std::string objection;
  DefinesOperator(view.descriptor(), &objection);
  return objection;
}

std::string ReferenceScheme(const OperatorCall& call) {
  AbiView view(call, MemoryFormat::kContiguous);
  view.descriptor().scheme = nullptr;
  return ScalarScheme(view.descriptor());
}

std::vector<std::string> ReferenceSchemes(const OperatorCall& call) {
  AbiView view(call, MemoryFormat::kContiguous);
  view.descriptor().scheme = nullptr;
  return ScalarSchemes(view.descriptor());
}

}  // namespace qconform
