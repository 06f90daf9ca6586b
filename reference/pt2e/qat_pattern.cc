#include "reference/pt2e/qat_pattern.h"

#include <algorithm>

namespace qconform {

const std::vector<QatConvolution>& QatConvolutions() {
  static const auto* const all = new std::vector<QatConvolution>{
      {"aten.conv1d.default", "conv1d", 3, false},
      {"aten.conv2d.default", "conv2d", 4, false},
      {"aten.conv_transpose1d.default", "conv_transpose1d", 3, true},
      {"aten.conv_transpose2d.input", "conv_transpose2d", 4, true}};
  return *all;
}

Argument ShapeAlong(size_t rank, size_t axis) {
  std::vector<Argument> shape(rank, Argument(1));
  shape[axis] = -1;
  return Argument::List(std::move(shape));
}

bool IsReadOnlyBy(const Node& node, const std::vector<const Node*>& readers) {
  return std::all_of(node.users().begin(), node.users().end(), [&](const Node* user) {
    return std::find(readers.begin(), readers.end(), user) != readers.end();
  });
}

}  // namespace qconform
