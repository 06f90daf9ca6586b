// For tests: the one line that a call throws.
#ifndef QCONFORM_REFERENCE_IR_EXPECT_ERROR_H_
#define QCONFORM_REFERENCE_IR_EXPECT_ERROR_H_

#include <string>

#include "reference/ir/error.h"

namespace qconform {

// The InputError's text, or "no error".
template <typename Call>
std::string ErrorOf(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_EXPECT_ERROR_H_
