// Compare results with the values of an oracle record, bit by bit.
#ifndef QCONFORM_CLI_PARITY_COMPARE_VALUES_H_
#define QCONFORM_CLI_PARITY_COMPARE_VALUES_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/parity/part.h"
#include "reference/ir/tensor.h"

namespace qconform::parity {

using nlohmann::ordered_json;

// The first element that differs; NaN equals NaN whatever its sign. The dtypes must be
// equal, or store the same codes.
std::optional<Difference> CompareTensors(const Tensor& got, const ordered_json& want,
                                         const std::string& where);

// A number that a record writes as JSON number, or as "NaN", "Infinity", "-Infinity".
double NumberFromJson(const ordered_json& value);

// Exactly equal, or both NaN.
std::optional<Difference> CompareNumbers(double got, const ordered_json& want,
                                         const std::string& where);

std::optional<Difference> CompareText(const std::string& got, const ordered_json& want,
                                      const std::string& where);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_COMPARE_VALUES_H_
