#include "reference/ir/module_difference.h"

#include <cmath>
#include <sstream>

namespace qconform {
namespace {

std::string Quote(const std::string& text) { return "'" + text + "'"; }

std::string RealText(double value) {
  std::ostringstream stream;
  stream.precision(17);
  stream << value;
  const std::string text = stream.str();
  // As Python writes it: 1.0 is not 1.
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

bool SameItems(const std::vector<Argument>& a, const std::vector<Argument>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!SameConstant(a[i], b[i])) return false;
  }
  return true;
}

// The first name that only one of them has, or "".
template <typename Value>
std::string LonelyName(const OrderedMap<Value>& a, const OrderedMap<Value>& b) {
  for (const auto& [name, value] : a) {
    if (!b.Contains(name)) return name;
  }
  for (const auto& [name, value] : b) {
    if (!a.Contains(name)) return name;
  }
  return "";
}

std::string TensorsDifference(const OrderedMap<std::optional<Tensor>>& a,
                              const OrderedMap<std::optional<Tensor>>& b) {
  const std::string lonely = LonelyName(a, b);
  if (!lonely.empty()) return "only one has the tensor " + Quote(lonely);
  for (const auto& [name, tensor] : a) {
    const std::optional<Tensor>& other = *b.Find(name);
    if (tensor.has_value() != other.has_value()) {
      return "tensor " + Quote(name) + " is None in one";
    }
    if (!tensor) continue;
    const std::string difference = TensorDifference(*tensor, *other);
    if (!difference.empty()) return "tensor " + Quote(name) + " " + difference;
  }
  return "";
}

}  // namespace

std::string DescribeArgument(const Argument& argument) {
  if (argument.IsNone()) return "None";
  if (const bool* flag = argument.As<bool>()) return *flag ? "True" : "False";
  if (const int64_t* integer = argument.As<int64_t>()) return std::to_string(*integer);
  if (const double* real = argument.As<double>()) return RealText(*real);
  if (const auto* text = argument.As<std::string>()) return Quote(*text);
  if (const Node* node = argument.AsNode()) return "node " + Quote(node->name());
  if (const DType* dtype = argument.As<DType>()) {
    return "torch." + std::string(DTypeName(*dtype));
  }
  if (const auto* sequence = argument.As<Sequence>()) {
    return (sequence->is_tuple ? "a tuple of " : "a list of ") +
           std::to_string(sequence->items.size());
  }
  if (const auto* dictionary = argument.As<Dictionary>()) {
    return "a dict of " + std::to_string(dictionary->items.size());
  }
  if (argument.As<Slice>() != nullptr) return "a slice";
  return Quote(argument.As<OpaqueValue>()->text);
}

// As deep as an argument is nested, which the readers bound.
bool SameConstant(const Argument& a, const Argument& b) {
  if (a.value.index() != b.value.index()) return false;
  if (const double* real = a.As<double>()) {
    const double other = *b.As<double>();
    return std::isnan(*real)
               ? std::isnan(other)
               : *real == other && std::signbit(*real) == std::signbit(other);
  }
  if (const auto* sequence = a.As<Sequence>()) {
    return sequence->is_tuple == b.As<Sequence>()->is_tuple &&
           SameItems(sequence->items, b.As<Sequence>()->items);
  }
  if (const auto* slice = a.As<Slice>()) {
    return SameItems(slice->bounds, b.As<Slice>()->bounds);
  }
  if (const auto* dictionary = a.As<Dictionary>()) {
    const auto& items = b.As<Dictionary>()->items;
    if (dictionary->items.size() != items.size()) return false;
    for (size_t i = 0; i < items.size(); ++i) {
      if (dictionary->items[i].first != items[i].first ||
          !SameConstant(dictionary->items[i].second, items[i].second)) {
        return false;
      }
    }
    return true;
  }
  return a == b;
}

std::string TensorDifference(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype()) {
    return "is " + std::string(DTypeName(a.dtype())) + ", not " +
           std::string(DTypeName(b.dtype()));
  }
  if (a.shape() != b.shape()) {
    return "has the shape " + ShapeText(a.shape()) + ", not " + ShapeText(b.shape());
  }
  if (a.quantization() != b.quantization()) return "has other scales or zero points";
  return BitEqual(a, b) ? "" : "has other values";
}

// Modules nest as deep as the readers allow, so the recursion is bounded.
std::string ModuleDifference(const Module& a, const Module& b) {
  if (a.type != b.type) return "type is " + Quote(a.type) + ", not " + Quote(b.type);
  if (a.training != b.training) return "only one is in training mode";
  const std::string lonely = LonelyName(a.attributes, b.attributes);
  if (!lonely.empty()) return "only one has the attribute " + Quote(lonely);
  for (const auto& [name, value] : a.attributes) {
    const Argument& other = *b.attributes.Find(name);
    if (!SameConstant(value, other)) {
      return "attribute " + Quote(name) + " is " + DescribeArgument(value) + ", not " +
             DescribeArgument(other);
    }
  }
  std::string difference = TensorsDifference(a.parameters, b.parameters);
  if (difference.empty()) difference = TensorsDifference(a.buffers, b.buffers);
  if (!difference.empty()) return difference;
  const std::string child_name = LonelyName(a.children, b.children);
  if (!child_name.empty()) return "only one has the child " + Quote(child_name);
  for (const auto& [name, child] : a.children) {
    const std::shared_ptr<Module>& other = *b.children.Find(name);
    if (!child || !other || child == other) continue;
    difference = ModuleDifference(*child, *other);
    if (!difference.empty()) return "child " + Quote(name) + ": " + difference;
  }
  return "";
}

}  // namespace qconform
