#include "reference/match/is_match.h"

#include <array>

#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr const char* kGetAttr = "builtins.getattr";

std::string Describe(const Argument& argument) {
  if (const Node* node = argument.AsNode()) return node->name();
  return Pattern::Literal(argument).Text();
}

// Python's node == pattern. A node equals no pattern, so this is about literals;
// a method name is also a string literal.
bool EqualsLiteral(const Argument& argument, const Pattern& pattern) {
  switch (pattern.kind()) {
    case Pattern::Kind::kLiteral:
      return PythonEqual(argument, pattern.literal());
    case Pattern::Kind::kMethod: {
      const std::string* text = argument.As<std::string>();
      return text != nullptr && *text == pattern.name();
    }
    default:
      return false;
  }
}

// The whole matcher. Without an explanation it builds no text.
class Matcher {
 public:
  Matcher(const ModuleTypes& types, MatchExplanation* explanation)
      : types_(types), explanation_(explanation) {}

  // `parent` and `index`: whose argument this is; nullptr at the anchor.
  bool Match(const Argument& argument, const Pattern& pattern, size_t max_users,
             const Node* parent, size_t index) {
    const bool is_tuple = pattern.IsTuple() && !pattern.items().empty();
    const Pattern& head = is_tuple ? pattern.items()[0] : pattern;
    bool has_arguments = is_tuple && pattern.items().size() > 1;
    if (is_tuple && head.kind() == Pattern::Kind::kFunction && head.name() == kGetAttr) {
      if (pattern.items().size() != 2) {
        throw PipelineError("AssertionError",
                            "Expecting getattr pattern to have two elements");
      }
      has_arguments = false;
    }
    if (head.kind() == Pattern::Kind::kMatchAll || EqualsLiteral(argument, pattern)) {
      return Matched(argument, head);
    }
    argument_ = &argument;
    parent_ = parent;
    index_ = index;
    const Node* node = argument.AsNode();
    if (node == nullptr) return NotANode(argument, pattern);
    if (node->users().size() > max_users) {
      return Fail(MatchBranch::kUsers, [&] {
        const std::string users = std::to_string(node->users().size());
        return Words{users + " users", std::to_string(max_users) + " user",
                     "has " + users + " users, a node inside a pattern may have " +
                         std::to_string(max_users)};
      });
    }
    if (!HeadMatches(*node, pattern, head)) return false;
    Matched(argument, head);
    if (!has_arguments) return true;
    const size_t count = pattern.items().size() - 1;
    if (count != node->args().size()) return OtherCount(*node, count);
    for (size_t i = 0; i < count; ++i) {
      if (!Match(node->args()[i], pattern.items()[i + 1], 1, node, i)) return false;
    }
    return true;
  }

 private:
  struct Words {
    std::string found;
    std::string wanted;
    std::string reason;
  };

  template <typename MakeWords>
  bool Fail(MatchBranch branch, const MakeWords& make_words) {
    if (explanation_ == nullptr) return false;
    Words words = make_words();
    explanation_->failure = {Describe(*argument_),
                             std::move(words.reason),
                             branch,
                             std::move(words.found),
                             std::move(words.wanted),
                             parent_ == nullptr ? ""
                                                : "argument " + std::to_string(index_) +
                                                      " of " + parent_->name()};
    return false;
  }

  bool Matched(const Argument& argument, const Pattern& head) {
    if (explanation_ != nullptr) {
      explanation_->parts.push_back({head.HumanText(), Describe(argument)});
    }
    return true;
  }

  bool NotANode(const Argument& argument, const Pattern& pattern) {
    const bool is_literal = pattern.kind() == Pattern::Kind::kLiteral;
    const bool is_sequence = argument.As<Sequence>() != nullptr ||
                             argument.As<Dictionary>() != nullptr ||
                             argument.As<Slice>() != nullptr;
    const MatchBranch branch = is_sequence  ? MatchBranch::kSequence
                               : is_literal ? MatchBranch::kLiteral
                                            : MatchBranch::kNotANode;
    return Fail(branch, [&] {
      const char* what = is_sequence  ? "a list, which only MatchAllNode matches"
                         : is_literal ? "another literal"
                                      : "not a node";
      return Words{Describe(argument), pattern.HumanText(),
                   std::string(what) + ", the pattern wants " + pattern.HumanText()};
    });
  }

  bool HeadMatches(const Node& node, const Pattern& pattern, const Pattern& head) {
    switch (head.kind()) {
      case Pattern::Kind::kModule: {
        if (node.op() != Op::kCallModule) return OtherOp(node, "module", head);
        const std::string_view type = types_(node.target());
        if (type == head.name()) return true;
        return Fail(MatchBranch::kModuleType, [&] {
          const std::string text(type);
          return Words{text, head.name(),
                       "module " + text + ", the pattern wants " + head.name()};
        });
      }
      case Pattern::Kind::kFunction:
        if (node.op() != Op::kCallFunction) return OtherOp(node, "function", head);
        if (node.target() != head.name()) return OtherTarget(node, "function", head);
        if (head.name() != kGetAttr || !pattern.IsTuple()) return true;
        return AttributeMatches(node, pattern.items()[1]);
      case Pattern::Kind::kMethod:
        if (node.op() != Op::kCallMethod) return OtherOp(node, "method", head);
        return node.target() == head.name() || OtherTarget(node, "method", head);
      case Pattern::Kind::kMatchAll:
      case Pattern::Kind::kLiteral:
      case Pattern::Kind::kTuple:
        break;
    }
    return Fail(MatchBranch::kTarget, [&] {
      return Words{node.target(), head.HumanText(),
                   "a node, the pattern wants " + head.HumanText()};
    });
  }

  bool OtherOp(const Node& node, const char* wanted, const Pattern& head) {
    return Fail(MatchBranch::kOp, [&] {
      const std::string found = std::string(OpName(node.op())) + " " + node.target();
      return Words{found, std::string(wanted) + " " + head.name(),
                   (node.op() == Op::kCallModule ? OpName(node.op()) : found) +
                       std::string(", the pattern wants the ") + wanted + " " +
                       head.name()};
    });
  }

  bool OtherTarget(const Node& node, const char* wanted, const Pattern& head) {
    return Fail(MatchBranch::kTarget, [&] {
      return Words{node.target(), head.name(),
                   std::string(OpName(node.op())) + " " + node.target() +
                       ", the pattern wants the " + wanted + " " + head.name()};
    });
  }

  // The second element of a getattr pattern against the node's second argument.
  bool AttributeMatches(const Node& node, const Pattern& attribute) {
    if (node.args().size() < 2) {
      throw PipelineError("IndexError", "getattr has no second argument");
    }
    if (EqualsLiteral(node.args()[1], attribute)) return true;
    return Fail(MatchBranch::kAttribute, [&] {
      const std::string found = Describe(node.args()[1]);
      return Words{
          found, attribute.HumanText(),
          "getattr of " + found + ", the pattern wants " + attribute.HumanText()};
    });
  }

  bool OtherCount(const Node& node, size_t count) {
    const size_t positional = node.args().size();
    const bool by_keyword =
        positional < count && positional + node.kwargs().size() >= count;
    const MatchBranch branch =
        by_keyword ? MatchBranch::kKeywordOnly : MatchBranch::kArgumentCount;
    return Fail(branch, [&] {
      std::string keywords;
      for (const auto& [key, value] : node.kwargs()) {
        keywords += (keywords.empty() ? "" : ", ") + key;
      }
      if (!keywords.empty()) keywords = " (and by keyword " + keywords + ")";
      return Words{std::to_string(positional) + " positional" + keywords,
                   std::to_string(count),
                   "has " + std::to_string(positional) + " positional arguments" +
                       keywords + ", the pattern has " + std::to_string(count)};
    });
  }

  const ModuleTypes& types_;
  MatchExplanation* const explanation_;
  // Where the part stands that is being looked at.
  const Argument* argument_ = nullptr;
  const Node* parent_ = nullptr;
  size_t index_ = 0;
};

}  // namespace

const char* MatchBranchName(MatchBranch branch) {
  static constexpr std::array kNames = {"",
                                        "not a node",
                                        "a list",
                                        "literal",
                                        "users",
                                        "op",
                                        "module type",
                                        "target",
                                        "attribute",
                                        "argument count",
                                        "keyword only"};
  return kNames[static_cast<size_t>(branch)];
}

ModuleTypes ModuleTypesOf(const GraphModule& module) {
  return [&module](const std::string& path) {
    const Module* found = module.ModuleAt(path);
    return found == nullptr ? std::string_view() : std::string_view(found->type);
  };
}

MatchExplanation ExplainMatch(const ModuleTypes& types, const Argument& argument,
                              const Pattern& pattern, size_t max_users) {
  MatchExplanation explanation;
  explanation.matched =
      Matcher(types, &explanation).Match(argument, pattern, max_users, nullptr, 0);
  return explanation;
}

bool IsMatch(const ModuleTypes& types, const Argument& argument, const Pattern& pattern,
             size_t max_users, MatchFailure* failure) {
  if (failure == nullptr) {
    return Matcher(types, nullptr).Match(argument, pattern, max_users, nullptr, 0);
  }
  MatchExplanation explanation = ExplainMatch(types, argument, pattern, max_users);
  *failure = std::move(explanation.failure);
  return explanation.matched;
}

}  // namespace qconform
