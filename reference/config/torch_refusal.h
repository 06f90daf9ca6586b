// A value in a config file that torch's from_dict refuses too.
#ifndef QCONFORM_REFERENCE_CONFIG_TORCH_REFUSAL_H_
#define QCONFORM_REFERENCE_CONFIG_TORCH_REFUSAL_H_

#include <string>
#include <utility>

#include "reference/ir/error.h"

namespace qconform {

// One line for a person, as every InputError, and beside it what Python raises: the
// kind of the exception and its text.
class TorchRefusal : public InputError {
 public:
  TorchRefusal(const std::string& where, const std::string& what,
               const std::string& expected, std::string kind, std::string message)
      : InputError(where, what, expected),
        kind_(std::move(kind)),
        message_(std::move(message)) {}
  // torch's own text is the line.
  TorchRefusal(const std::string& where, std::string kind, const std::string& message)
      : TorchRefusal(where, message, "", std::move(kind), message) {}

  const std::string& kind() const { return kind_; }
  const std::string& message() const { return message_; }

 private:
  std::string kind_;
  std::string message_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_TORCH_REFUSAL_H_
