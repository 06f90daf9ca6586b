// Rows of config_api.json in words, as the calls that were made.
#ifndef QCONFORM_CLI_PARITY_CONFIG_API_WORDED_EXPRESSION_H_
#define QCONFORM_CLI_PARITY_CONFIG_API_WORDED_EXPRESSION_H_

#include <string>

namespace qconform::parity {

// The calls of a row whose words stand for them: "all setters" of "full pattern config".
// Empty if there are none for these words.
std::string WordedExpression(const std::string& name, const std::string& steps);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_CONFIG_API_WORDED_EXPRESSION_H_
