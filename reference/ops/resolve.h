// From the arguments of a node to the values that they stand for.
#ifndef QCONFORM_REFERENCE_OPS_RESOLVE_H_
#define QCONFORM_REFERENCE_OPS_RESOLVE_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "reference/ir/graph.h"
#include "reference/ops/value.h"

namespace qconform {

using NodeValues = std::unordered_map<const Node*, Value>;

// Throws InputError at `where` if a node in the argument has no value in `values`.
Value Resolve(const Argument& argument, const NodeValues& values,
              const std::string& where);
std::vector<Value> Resolve(const std::vector<Argument>& arguments,
                           const NodeValues& values, const std::string& where);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_RESOLVE_H_
