// Whether a pattern matches at a node.
#ifndef QCONFORM_REFERENCE_MATCH_IS_MATCH_H_
#define QCONFORM_REFERENCE_MATCH_IS_MATCH_H_

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "reference/config/pattern.h"
#include "reference/ir/module.h"

namespace qconform {

// The class of the module at a path, before parametrizations; empty if none. The text
// belongs to the module.
using ModuleTypes = std::function<std::string_view(const std::string& path)>;
ModuleTypes ModuleTypesOf(const GraphModule& module);

// The branch of torch's _is_match that said no.
enum class MatchBranch {
  kNone,
  kNotANode,       // a literal where the pattern wants an operation
  kSequence,       // a list, tuple, dict or slice: only MatchAllNode matches it
  kLiteral,        // a literal that is not the pattern's
  kUsers,          // an inner node with more than one user
  kOp,             // call_function where the pattern wants a module, ...
  kModuleType,     // a module of another class; subclasses count as other classes
  kTarget,         // another function or method
  kAttribute,      // getattr of another attribute
  kArgumentCount,  // another number of positional arguments
  kKeywordOnly,    // enough arguments, but some by keyword, which never count
};
// "users", "module type", "argument count", ...
const char* MatchBranchName(MatchBranch branch);

// Why a pattern failed: the node at which it did and one line in words.
struct MatchFailure {
  std::string node;  // its name; the text of the argument if it is no node
  std::string reason;
  MatchBranch branch = MatchBranch::kNone;
  // What stands there and what the pattern wants.
  std::string found;
  std::string wanted;
  // "argument 0 of relu"; empty at the anchor.
  std::string place;
};

inline constexpr size_t kAnyUsers = std::numeric_limits<size_t>::max();

// torch.ao.quantization.fx.match_utils._is_match. `pattern` stands last
// operation first. The anchor may have up to `max_users` users, every inner node
// one. Throws PipelineError("AssertionError") for a getattr pattern that is not
// a pair.
bool IsMatch(const ModuleTypes& types, const Argument& argument, const Pattern& pattern,
             size_t max_users = kAnyUsers, MatchFailure* failure = nullptr);

// One part of a pattern that matched, and what stands there.
struct MatchedPart {
  std::string pattern;  // "torch.nn.Conv2d", "MatchAllNode", "3"
  std::string node;     // its name; the text of the argument if it is no node
};

struct MatchExplanation {
  bool matched = false;
  // Parts in the order in which they were tried, last operation first, up to the one
  // that failed.
  std::vector<MatchedPart> parts;
  MatchFailure failure;
};

// IsMatch, and all that it saw on the way.
MatchExplanation ExplainMatch(const ModuleTypes& types, const Argument& argument,
                              const Pattern& pattern, size_t max_users = kAnyUsers);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_MATCH_IS_MATCH_H_
