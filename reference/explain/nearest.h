// The name of the model that a setting may have meant.
#ifndef QCONFORM_REFERENCE_EXPLAIN_NEAREST_H_
#define QCONFORM_REFERENCE_EXPLAIN_NEAREST_H_

#include <set>
#include <string>
#include <vector>

#include "reference/ir/nearest_name.h"

namespace qconform {

// ", nearest is X", or "".
inline std::string NearestOf(const std::string& name,
                             const std::set<std::string>& names) {
  const std::vector<std::string> list(names.begin(), names.end());
  const std::string nearest = NearestName(name, list);
  return nearest.empty() ? "" : ", nearest is " + nearest;
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPLAIN_NEAREST_H_
