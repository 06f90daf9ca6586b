// Patterns by what they want at the anchor, so that a node meets only those that
// could match it.
#ifndef QCONFORM_REFERENCE_MATCH_PATTERN_INDEX_H_
#define QCONFORM_REFERENCE_MATCH_PATTERN_INDEX_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reference/config/backend_config.h"
#include "reference/match/is_match.h"

namespace qconform {

class PatternIndex {
 public:
  // `order` as QuantizationMatchOrder or FusionMatchOrder gives it.
  explicit PatternIndex(std::vector<const BackendConfig::Entry*> order);

  // May turn a match down; the next entry is tried then.
  using Accept = std::function<bool(const BackendConfig::Entry& entry, Node& node)>;

  // The first entry in match order that matches at the node, or nullptr.
  const BackendConfig::Entry* FirstMatch(const ModuleTypes& types, Node& node,
                                         const Accept& accept = {}) const;

 private:
  // Positions of the entries whose head has this op and name.
  const std::vector<size_t>& Named(Op op, std::string_view name) const;

  std::vector<const BackendConfig::Entry*> order_;
  // Positions in order_, ascending, by op and name of the head, which the entry owns.
  using ByName = std::unordered_map<std::string_view, std::vector<size_t>>;
  std::map<Op, ByName> by_head_;
  // Patterns whose head is the wildcard.
  std::vector<size_t> any_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_MATCH_PATTERN_INDEX_H_
