// An argument of a graph node: torch.fx's Argument.
#ifndef QCONFORM_REFERENCE_IR_ARGUMENT_H_
#define QCONFORM_REFERENCE_IR_ARGUMENT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "reference/ir/dtype.h"

namespace qconform {

class Node;
struct Argument;

// A Python list or tuple.
struct Sequence {
  std::vector<Argument> items;
  bool is_tuple = false;
  bool operator==(const Sequence& other) const;
};

struct Dictionary {
  std::vector<std::pair<std::string, Argument>> items;
  bool operator==(const Dictionary& other) const;
};

// slice(start, stop, step), each possibly None or a node.
struct Slice {
  std::vector<Argument> bounds;
  bool operator==(const Slice& other) const;
};

// Anything that the format keeps only as text.
struct OpaqueValue {
  std::string text;
  bool operator==(const OpaqueValue&) const = default;
};

struct Argument {
  using Value = std::variant<std::monostate, bool, int64_t, double, std::string, Node*,
                             Sequence, Dictionary, Slice, DType, OpaqueValue>;
  Value value;

  Argument() = default;  // None
  template <typename T>
  requires(!std::is_same_v<std::remove_cvref_t<T>, Argument> &&
           std::is_constructible_v<Value, std::in_place_type_t<std::remove_cvref_t<T>>,
                                   T>)
      Argument(T&& v)  // NOLINT(google-explicit-constructor)
      : value(std::in_place_type<std::remove_cvref_t<T>>, std::forward<T>(v)) {}
  Argument(int v) : value(static_cast<int64_t>(v)) {}  // NOLINT
  Argument(const char* v) : value(std::string(v)) {}   // NOLINT
  static Argument List(std::vector<Argument> items) {
    return Argument(Sequence{std::move(items), false});
  }
  static Argument Tuple(std::vector<Argument> items) {
    return Argument(Sequence{std::move(items), true});
  }

  bool IsNone() const { return std::holds_alternative<std::monostate>(value); }
  template <typename T>
  const T* As() const {
    return std::get_if<T>(&value);
  }
  template <typename T>
  T* As() {
    return std::get_if<T>(&value);
  }
  // The node, or nullptr if this is not a node.
  Node* AsNode() const {
    Node* const* node = std::get_if<Node*>(&value);
    return node == nullptr ? nullptr : *node;
  }
  bool operator==(const Argument&) const = default;
};

// Calls visit(Node*) on every node in the argument, depth first, left to right; the
// same node as often as it stands there. The recursion is as deep as an argument is
// nested, which the readers bound. (torch.fx.node.map_arg)
template <typename Visit>
void ForEachNode(const Argument& argument, const Visit& visit) {
  if (Node* node = argument.AsNode()) {
    visit(node);
  } else if (const auto* sequence = argument.As<Sequence>()) {
    for (const Argument& item : sequence->items) ForEachNode(item, visit);
  } else if (const auto* dictionary = argument.As<Dictionary>()) {
    for (const auto& [key, item] : dictionary->items) ForEachNode(item, visit);
  } else if (const auto* slice = argument.As<Slice>()) {
    for (const Argument& item : slice->bounds) ForEachNode(item, visit);
  }
}

// Replaces every node n in the argument by replace(n).
template <typename Replace>
void MapNodes(Argument& argument, const Replace& replace) {
  if (Node* node = argument.AsNode()) {
    argument = Argument(static_cast<Node*>(replace(node)));
  } else if (auto* sequence = argument.As<Sequence>()) {
    for (Argument& item : sequence->items) MapNodes(item, replace);
  } else if (auto* dictionary = argument.As<Dictionary>()) {
    for (auto& [key, item] : dictionary->items) MapNodes(item, replace);
  } else if (auto* slice = argument.As<Slice>()) {
    for (Argument& item : slice->bounds) MapNodes(item, replace);
  }
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_ARGUMENT_H_
