// The name that somebody meant.
#ifndef QCONFORM_REFERENCE_IR_NEAREST_NAME_H_
#define QCONFORM_REFERENCE_IR_NEAREST_NAME_H_

#include <span>
#include <string>
#include <string_view>

namespace qconform {

// The candidate with the fewest single-character insertions, deletions and
// replacements, the first of equals; letters that differ only in case count as
// equal first. Empty if more than half of the longer name would have to change, or
// if there is no candidate. (Levenshtein, 1965.)
std::string NearestName(std::string_view name, std::span<const std::string> candidates);

// ", nearest known name X" to follow a complaint, or "".
std::string NearestNameHint(std::string_view name,
                            std::span<const std::string> candidates);

// How many of these changes turn one text into the other.
size_t EditDistance(std::string_view a, std::string_view b);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_NEAREST_NAME_H_
