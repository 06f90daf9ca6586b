#include "conformance/host/call_class.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>

namespace qconform {

std::string ClassOf(const qc_backend& table, const OperatorCall& call) {
  const qc_attributes& a = call.attributes;
  std::string text = std::to_string(reinterpret_cast<uintptr_t>(table.run)) + " " +
                     OperatorName(call.kind, a);
  const auto add = [&text](const CallTensor& tensor) {
    text += " " + AbiDTypeName(tensor.dtype);
    if (tensor.axis >= 0) text += "/channel";
    if (tensor.quant_min != tensor.quant_max) text += "/range";
  };
  constexpr size_t kInputs = 2;
  for (size_t i = 0; i < std::min(call.inputs.size(), kInputs); ++i)
    if (call.inputs[i]) add(*call.inputs[i]);
  for (const CallTensor& output : call.outputs) add(output);
  if (a.activation != QC_ACTIVATION_NONE) text += " activation";
  if (a.padding_before[0] != 0) text += " padding";
  return text;
}

bool TakeFirst(const qc_backend& table, const OperatorCall& call,
               const std::string& what) {
  static auto* const taken = new std::set<std::tuple<const void*, int, std::string>>;
  return taken->emplace(reinterpret_cast<const void*>(table.run), call.kind, what).second;
}

}  // namespace qconform
