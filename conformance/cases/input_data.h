// The data of a row's inputs: functions of the case's id, the tensor's name and the fill.
#ifndef QCONFORM_CONFORMANCE_CASES_INPUT_DATA_H_
#define QCONFORM_CONFORMANCE_CASES_INPUT_DATA_H_

#include <optional>
#include <vector>

#include "conformance/cases/call_draft.h"

namespace qconform {

std::vector<std::optional<CallTensor>> InputsWithData(const SuiteRow& row,
                                                      const CallDraft& draft);

// Qparams of the codes that a float input becomes, which its values are drawn for.
// `codes` has dtype, shape and axis.
void SetQuantizeQparams(const SuiteRow& row, CallTensor& codes);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_INPUT_DATA_H_
