// Which ATen operators a module class or function becomes when it is exported.
#ifndef QCONFORM_REFERENCE_QUANTIZERS_SOURCE_OPERATORS_H_
#define QCONFORM_REFERENCE_QUANTIZERS_SOURCE_OPERATORS_H_

#include <string>
#include <vector>

namespace qconform {

// "torch.nn.ReLU" -> "aten.relu.default", "aten.relu_.default". Of the sources that the
// quantizers here ask for; empty for any other.
const std::vector<std::string>& OperatorsOfSource(const std::string& source);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_SOURCE_OPERATORS_H_
