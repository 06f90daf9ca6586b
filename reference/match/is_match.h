// Whether a pattern matches at a node.
#ifndef QCONFORM_REFERENCE_MATCH_IS_MATCH_H_
#define QCONFORM_REFERENCE_MATCH_IS_MATCH_H_

#include <functional>
#include <limits>
#include <string>

#include "reference/config/pattern.h"
#include "reference/ir/module.h"

namespace qconform {

// The class of the module at a path, before parametrizations; empty if none.
using ModuleTypes = std::function<std::string(const std::string& path)>;
ModuleTypes ModuleTypesOf(const GraphModule& module);

// Why a pattern failed: the node at which it did and one line in words.
struct MatchFailure {
  std::string node;
  std::string reason;
};

inline constexpr size_t kAnyUsers = std::numeric_limits<size_t>::max();

// torch.ao.quantization.fx.match_utils._is_match. `pattern` stands last
// operation first. The anchor may have up to `max_users` users, every inner node
// one. Throws PipelineError("AssertionError") for a getattr pattern that is not
// a pair.
bool IsMatch(const ModuleTypes& types, const Argument& argument, const Pattern& pattern,
             size_t max_users = kAnyUsers, MatchFailure* failure = nullptr);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_MATCH_IS_MATCH_H_
