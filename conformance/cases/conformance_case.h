// One operator call with the codes that it must give: a case that is ready to run.
#ifndef QCONFORM_CONFORMANCE_CASES_CONFORMANCE_CASE_H_
#define QCONFORM_CONFORMANCE_CASES_CONFORMANCE_CASE_H_

#include <string>
#include <vector>

#include "conformance/compare/reference_outputs.h"
#include "conformance/host/operator_call.h"

namespace qconform {

struct ConformanceCase {
  std::string id;
  std::string suite;
  std::string group;
  std::string fill;
  std::string domain;  // "whole": every value that the operands can take is tried
  // "split_batch": two calls are compared with each other (metamorphic/relation.h), and
  // `want` with nothing.
  std::string relation;
  bool literal = false;  // somebody wrote the data down
  // Asks for a scheme that is not the operator's own, which no config declares.
  bool foreign_scheme = false;
  // Where the backend's config has rows of the operator, and none for this call, it must
  // refuse.
  bool only_declared = false;
  OperatorCall call;        // call.scheme is the one asked for
  std::vector<Bytes> want;  // under call.scheme
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_CONFORMANCE_CASE_H_
