// Why a setting of an InductorQuantizer left an operator in float.
#ifndef QCONFORM_REFERENCE_QUANTIZERS_INDUCTOR_ACCOUNT_H_
#define QCONFORM_REFERENCE_QUANTIZERS_INDUCTOR_ACCOUNT_H_

#include <string>

#include "reference/quantizers/inductor_pass.h"

namespace qconform {

// Enters into the ledger why each operator that the present setting covers was not
// reached by it, and for a setting that reached nothing the reason: `why` if there is
// one.
void ExplainInductorSetting(InductorPass& pass, size_t setting, const std::string& why);

// "no node calls aten.conv2d.default", or "".
std::string WhyNoCall(const ExportedProgram& program, const std::string& target);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_INDUCTOR_ACCOUNT_H_
