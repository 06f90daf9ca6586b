// The two ways in which input can be wrong. Both carry one line for a person;
// neither prints nor exits.
#ifndef QCONFORM_REFERENCE_IR_ERROR_H_
#define QCONFORM_REFERENCE_IR_ERROR_H_

#include <stdexcept>
#include <string>
#include <utility>

namespace qconform {

// A malformed file or a wrong argument: "where: what, expected ...". The command
// line turns it into exit code 4.
class InputError : public std::runtime_error {
 public:
  InputError(const std::string& where, const std::string& what,
             const std::string& expected = "")
      : std::runtime_error(where + ": " + what +
                           (expected.empty() ? "" : ", expected " + expected)) {}
};

// The pipeline refuses a well-formed model, as torch does. `kind` is the name of
// the Python exception that torch raises at this place (AssertionError, ...).
class PipelineError : public std::runtime_error {
 public:
  PipelineError(std::string kind, const std::string& what)
      : std::runtime_error(what), kind_(std::move(kind)) {}
  const std::string& kind() const { return kind_; }

 private:
  std::string kind_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_ERROR_H_
