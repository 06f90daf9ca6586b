// For tests: what a call throws.
#ifndef QCONFORM_REFERENCE_IR_EXPECT_ERROR_H_
#define QCONFORM_REFERENCE_IR_EXPECT_ERROR_H_

#include <string>

#include "reference/ir/error.h"

namespace qconform {

// The InputError's one line, or "no error".
template <typename Call>
std::string ErrorOf(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// The PipelineError's kind, or "".
template <typename Call>
std::string ErrorKindOf(const Call& call) {
  try {
    call();
  } catch (const PipelineError& error) {
    return error.kind();
  }
  return "";
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_EXPECT_ERROR_H_
