// Numbers above zero as options: CLI11's own check answers with the largest double.
#ifndef QCONFORM_CLI_ABOVE_ZERO_H_
#define QCONFORM_CLI_ABOVE_ZERO_H_

#include <CLI/CLI.hpp>
#include <cmath>
#include <string>

namespace qconform {

inline CLI::Validator AboveZero() {
  return CLI::Validator(
      [](const std::string& text) {
        double number = 0;
        const bool holds = CLI::detail::lexical_cast(text, number) && number > 0 &&
                           std::isfinite(number);
        return holds ? std::string() : "'" + text + "' is no number above 0";
      },
      "ABOVE 0");
}

}  // namespace qconform

#endif  // QCONFORM_CLI_ABOVE_ZERO_H_
