// The first difference of two JSON values in the encodings of the oracle records.
#ifndef QCONFORM_CLI_PARITY_JSON_DIFFERENCE_H_
#define QCONFORM_CLI_PARITY_JSON_DIFFERENCE_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "cli/parity/part.h"

namespace qconform::parity {

using nlohmann::ordered_json;

// Keys are compared as a set, lists in order, numbers by kind and exact value. The
// short list "v" of a tensor repeats its bytes and is not compared.
std::optional<Difference> FirstDifference(const ordered_json& got,
                                          const ordered_json& want,
                                          const std::string& where = "");

// Names each member of a table file that is not in `read` as not compared; notes are
// texts and skipped.
void NameUnread(const ordered_json& file, const std::set<std::string>& read,
                PartReport& part);

// At most about a hundred characters of a value; a tensor as dtype and shape.
std::string ShortText(const ordered_json& value);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_JSON_DIFFERENCE_H_
