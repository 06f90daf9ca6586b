#include "reference/ir/argument.h"

namespace qconform {

bool Sequence::operator==(const Sequence& other) const {
  return is_tuple == other.is_tuple && items == other.items;
}
bool Dictionary::operator==(const Dictionary& other) const {
  return items == other.items;
}
bool Slice::operator==(const Slice& other) const { return bounds == other.bounds; }

}  // namespace qconform
