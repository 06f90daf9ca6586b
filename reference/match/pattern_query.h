// A pattern as a user types it.
#ifndef QCONFORM_REFERENCE_MATCH_PATTERN_QUERY_H_
#define QCONFORM_REFERENCE_MATCH_PATTERN_QUERY_H_

#include <optional>
#include <string>

#include "reference/config/pattern.h"

namespace qconform {

// In which order the parts of a typed pattern stand.
enum class PatternOrder {
  kForward,  // as executed: (torch.nn.Conv2d, torch.nn.ReLU); torch's `pattern`
  kStored,   // last operation first: torch's `pattern_complex_format`
};

struct PatternQuery {
  Pattern stored;
  PatternOrder order = PatternOrder::kForward;  // how it was read
};

// JSON as in a backend config (a name, a list, {"lit": value}, or an entry with
// "pattern" or "pattern_complex_format"), or the short form: names with torch's usual
// abbreviations (nn., F., nni., ...), tuples in parentheses with commas, numbers, None,
// True, False and quoted strings as literals. Without `order`, two or three names are
// in forward order; whatever is nested or holds MatchAllNode, a literal or getattr is in
// stored order. Throws InputError with `where`.
PatternQuery ReadPatternQuery(const std::string& text, const std::string& where,
                              std::optional<PatternOrder> order = std::nullopt);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_MATCH_PATTERN_QUERY_H_
