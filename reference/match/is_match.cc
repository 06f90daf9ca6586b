#include "reference/match/is_match.h"

#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr const char* kGetAttr = "builtins.getattr";

std::string Describe(const Argument& argument) {
  if (const Node* node = argument.AsNode()) return node->name();
  return Pattern::Literal(argument).Text();
}

bool Fail(MatchFailure* failure, const Argument& argument, std::string reason) {
  if (failure != nullptr) *failure = {Describe(argument), std::move(reason)};
  return false;
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

// The second element of a getattr pattern against the node's second argument.
bool AttributeMatches(const Node& node, const Pattern& attribute) {
  if (node.args().size() < 2) {
    throw PipelineError("IndexError", "getattr has no second argument");
  }
  return EqualsLiteral(node.args()[1], attribute);
}

bool HeadMatches(const ModuleTypes& types, const Node& node, const Pattern& pattern,
                 const Pattern& head, MatchFailure* failure) {
  const Argument self(const_cast<Node*>(&node));
  switch (head.kind()) {
    case Pattern::Kind::kModule: {
      if (node.op() != Op::kCallModule) {
        return Fail(failure, self,
                    std::string(OpName(node.op())) + ", the pattern wants the module " +
                        head.name());
      }
      const std::string type = types(node.target());
      if (type == head.name()) return true;
      return Fail(failure, self, "module " + type + ", the pattern wants " + head.name());
    }
    case Pattern::Kind::kFunction:
      if (node.op() != Op::kCallFunction || node.target() != head.name()) {
        return Fail(failure, self,
                    std::string(OpName(node.op())) + " " + node.target() +
                        ", the pattern wants the function " + head.name());
      }
      if (head.name() == kGetAttr && pattern.IsTuple() &&
          !AttributeMatches(node, pattern.items()[1])) {
        return Fail(failure, self, "getattr of another attribute");
      }
      return true;
    case Pattern::Kind::kMethod:
      if (node.op() == Op::kCallMethod && node.target() == head.name()) return true;
      return Fail(failure, self,
                  std::string(OpName(node.op())) + " " + node.target() +
                      ", the pattern wants the method " + head.name());
    case Pattern::Kind::kMatchAll:
    case Pattern::Kind::kLiteral:
    case Pattern::Kind::kTuple:
      break;
  }
  return Fail(failure, self, "a node, the pattern wants " + head.Text());
}

}  // namespace

ModuleTypes ModuleTypesOf(const GraphModule& module) {
  return [&module](const std::string& path) {
    const std::shared_ptr<Module> found = module.FindModule(path);
    return found == nullptr ? std::string() : found->type;
  };
}

bool IsMatch(const ModuleTypes& types, const Argument& argument, const Pattern& pattern,
             size_t max_users, MatchFailure* failure) {
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
  if (head.kind() == Pattern::Kind::kMatchAll) return true;
  if (EqualsLiteral(argument, pattern)) return true;
  const Node* node = argument.AsNode();
  if (node == nullptr) {
    return Fail(failure, argument, "not a node, the pattern wants " + pattern.Text());
  }
  if (node->users().size() > max_users) {
    return Fail(failure, argument,
                "has " + std::to_string(node->users().size()) +
                    " users, a node inside a pattern may have " +
                    std::to_string(max_users));
  }
  if (!HeadMatches(types, *node, pattern, head, failure)) return false;
  if (!has_arguments) return true;
  const size_t count = pattern.items().size() - 1;
  if (count != node->args().size()) {
    return Fail(failure, argument,
                "has " + std::to_string(node->args().size()) +
                    " positional arguments, the pattern has " + std::to_string(count));
  }
  for (size_t i = 0; i < count; ++i) {
    if (!IsMatch(types, node->args()[i], pattern.items()[i + 1], 1, failure)) {
      return false;
    }
  }
  return true;
}

}  // namespace qconform
