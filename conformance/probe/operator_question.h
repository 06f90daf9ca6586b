// Calls on which the schemes of an operator without an accumulator differ.
#ifndef QCONFORM_CONFORMANCE_PROBE_OPERATOR_QUESTION_H_
#define QCONFORM_CONFORMANCE_PROBE_OPERATOR_QUESTION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/host/operator_call.h"

namespace qconform {

// What an operator is asked, as the id of a case whose qparams change from question to
// question.
struct OperatorTemplate {
  std::string name;
  std::vector<std::string> ids;  // in the dtypes that are tried, in this order
};

const std::vector<OperatorTemplate>& OperatorTemplates();

// By number, the same on every machine: by turns scales that are powers of two, small
// quotients and arbitrary. The scheme is left to the backend.
OperatorCall OperatorQuestion(const std::string& id, uint64_t number);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_PROBE_OPERATOR_QUESTION_H_
