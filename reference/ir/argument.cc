#include "reference/ir/argument.h"

namespace qconform {

bool Sequence::operator==(const Sequence& other) const {
  return is_tuple == other.is_tuple && items == other.items;
}
bool Dictionary::operator==(const Dictionary& other) const {
  return items == other.items;
}
bool Slice::operator==(const Slice& other) const { return bounds == other.bounds; }

// The recursion is as deep as an argument is nested, which the readers bound.
void ForEachNode(const Argument& argument, const std::function<void(Node*)>& visit) {
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

void MapNodes(Argument& argument, const std::function<Node*(Node*)>& replace) {
  if (Node* node = argument.AsNode()) {
    argument = Argument(replace(node));
  } else if (auto* sequence = argument.As<Sequence>()) {
    for (Argument& item : sequence->items) MapNodes(item, replace);
  } else if (auto* dictionary = argument.As<Dictionary>()) {
    for (auto& [key, item] : dictionary->items) MapNodes(item, replace);
  } else if (auto* slice = argument.As<Slice>()) {
    for (Argument& item : slice->bounds) MapNodes(item, replace);
  }
}

}  // namespace qconform
