#include "reference/fuse/preserved_attributes.h"

namespace qconform {

void CopyPreserved(const Module& from, const std::vector<std::string>& names,
                   Module& to) {
  for (const std::string& name : names) {
    if (const auto* child = from.children.Find(name)) {
      to.children.Set(name, *child);
    } else if (const auto* parameter = from.parameters.Find(name)) {
      to.parameters.Set(name, *parameter);
    } else if (const auto* buffer = from.buffers.Find(name)) {
      to.buffers.Set(name, *buffer);
    } else if (const Argument* attribute = from.attributes.Find(name)) {
      to.attributes.Set(name, *attribute);
    }
  }
}

}  // namespace qconform
