#include "reference/ops/value.h"

namespace qconform {

Value Value::Tuple(std::vector<Value> items) {
  return Value(ValueSequence{std::move(items), true});
}

Value Value::List(std::vector<Value> items) {
  return Value(ValueSequence{std::move(items), false});
}

std::string ValueText(const Value& value) {
  struct Text {
    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(bool v) const { return v ? "True" : "False"; }
    std::string operator()(int64_t v) const { return "int " + std::to_string(v); }
    std::string operator()(double v) const { return "float " + std::to_string(v); }
    std::string operator()(const std::string& v) const { return "'" + v + "'"; }
    std::string operator()(DType v) const { return "torch." + std::string(DTypeName(v)); }
    std::string operator()(const Tensor& v) const {
      return "Tensor " + std::string(DTypeName(v.dtype())) + " " + ShapeText(v.shape());
    }
    std::string operator()(const ValueSequence& v) const {
      return (v.is_tuple ? "tuple of " : "list of ") + std::to_string(v.items.size());
    }
    std::string operator()(const ValueDictionary&) const { return "dict"; }
    std::string operator()(const ValueSlice&) const { return "slice"; }
    std::string operator()(const OpaqueValue& v) const { return v.text; }
  };
  return std::visit(Text{}, value.storage);
}

}  // namespace qconform
