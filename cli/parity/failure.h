// What a stage ended with.
#ifndef QCONFORM_CLI_PARITY_FAILURE_H_
#define QCONFORM_CLI_PARITY_FAILURE_H_

#include <optional>
#include <string>

#include "reference/ir/error.h"

namespace qconform::parity {

// "KIND: MESSAGE" of torch's error, or what an operator or a reader of ours complained
// of, which has no kind; nothing if it ended well.
template <typename Run>
std::optional<std::string> FailureOf(const Run& run) {
  try {
    run();
  } catch (const PipelineError& error) {
    return error.kind() + ": " + error.what();
  } catch (const InputError& error) {
    return error.what();
  }
  return std::nullopt;
}

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_FAILURE_H_
