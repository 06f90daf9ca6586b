#include "reference/ops/resolve.h"

#include "reference/ir/error.h"

namespace qconform {

// Arguments nest as deep as the readers allow, so the recursion is bounded.
Value Resolve(const Argument& argument, const NodeValues& values,
              const std::string& where) {
  if (const Node* node = argument.AsNode()) {
    const auto found = values.find(node);
    if (found == values.end()) {
      throw InputError(where, "uses '" + node->name() + "', which has no value yet",
                       "nodes in execution order");
    }
    return found->second;
  }
  if (const bool* flag = argument.As<bool>()) return *flag;
  if (const int64_t* integer = argument.As<int64_t>()) return *integer;
  if (const double* real = argument.As<double>()) return *real;
  if (const std::string* text = argument.As<std::string>()) return *text;
  if (const DType* dtype = argument.As<DType>()) return *dtype;
  if (const OpaqueValue* opaque = argument.As<OpaqueValue>()) return *opaque;
  if (const Sequence* sequence = argument.As<Sequence>()) {
    return ValueSequence{Resolve(sequence->items, values, where), sequence->is_tuple};
  }
  if (const Slice* slice = argument.As<Slice>()) {
    return ValueSlice{Resolve(slice->bounds, values, where)};
  }
  if (const Dictionary* dictionary = argument.As<Dictionary>()) {
    ValueDictionary result;
    for (const auto& [key, item] : dictionary->items) {
      result.items.emplace_back(key, Resolve(item, values, where));
    }
    return result;
  }
  return Value();
}

std::vector<Value> Resolve(const std::vector<Argument>& arguments,
                           const NodeValues& values, const std::string& where) {
  std::vector<Value> resolved;
  resolved.reserve(arguments.size());
  for (const Argument& argument : arguments) {
    resolved.push_back(Resolve(argument, values, where));
  }
  return resolved;
}

}  // namespace qconform
