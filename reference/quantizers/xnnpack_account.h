// Why a setting of an XNNPACKQuantizer left an operator in float.
#ifndef QCONFORM_REFERENCE_QUANTIZERS_XNNPACK_ACCOUNT_H_
#define QCONFORM_REFERENCE_QUANTIZERS_XNNPACK_ACCOUNT_H_

#include <string>

#include "reference/quantizers/xnnpack_pass.h"

namespace qconform {

// As ExplainInductorSetting.
void ExplainXnnpackSetting(XnnpackPass& pass, size_t setting, const std::string& why,
                           bool is_dynamic);

// "no node calls aten.linear", or "".
std::string WhyNoOperator(const ExportedProgram& program, const NodeFilter& calls,
                          const std::string& target);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_XNNPACK_ACCOUNT_H_
