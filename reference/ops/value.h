// What flows along the edges of a graph while it runs: a Python object, as far as
// torch's operators take or give one.
#ifndef QCONFORM_REFERENCE_OPS_VALUE_H_
#define QCONFORM_REFERENCE_OPS_VALUE_H_

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "reference/ir/argument.h"
#include "reference/ir/dtype.h"
#include "reference/ir/tensor.h"

namespace qconform {

struct Value;

// A Python list or tuple; a torch.Size is a tuple of integers.
struct ValueSequence {
  std::vector<Value> items;
  bool is_tuple = false;
};

struct ValueDictionary {
  std::vector<std::pair<std::string, Value>> items;
};

// slice(start, stop, step); a bound that is not given is None.
struct ValueSlice {
  std::vector<Value> bounds;
};

struct Value {
  using Storage =
      std::variant<std::monostate, bool, int64_t, double, std::string, DType, Tensor,
                   ValueSequence, ValueDictionary, ValueSlice, OpaqueValue>;
  Storage storage;

  Value() = default;  // None
  Value(const Value&) = default;
  Value(Value&&) noexcept = default;
  Value& operator=(const Value&) = default;
  Value& operator=(Value&&) noexcept = default;
  Value(bool v) : storage(v) {}                        // NOLINT
  Value(int v) : storage(static_cast<int64_t>(v)) {}   // NOLINT
  Value(int64_t v) : storage(v) {}                     // NOLINT
  Value(double v) : storage(v) {}                      // NOLINT
  Value(const char* v) : storage(std::string(v)) {}    // NOLINT
  Value(std::string v) : storage(std::move(v)) {}      // NOLINT
  Value(DType v) : storage(v) {}                       // NOLINT
  Value(Tensor v) : storage(std::move(v)) {}           // NOLINT
  Value(ValueSequence v) : storage(std::move(v)) {}    // NOLINT
  Value(ValueDictionary v) : storage(std::move(v)) {}  // NOLINT
  Value(ValueSlice v) : storage(std::move(v)) {}       // NOLINT
  Value(OpaqueValue v) : storage(std::move(v)) {}      // NOLINT
  static Value Tuple(std::vector<Value> items);
  static Value List(std::vector<Value> items);

  bool IsNone() const { return std::holds_alternative<std::monostate>(storage); }
  // The alternative, or nullptr if this holds another one.
  template <typename T>
  const T* As() const {
    return std::get_if<T>(&storage);
  }
  template <typename T>
  T* As() {
    return std::get_if<T>(&storage);
  }
};

// "None", "int", "Tensor float32 [2, 3]", ...: what a message says about a value.
std::string ValueText(const Value& value);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_VALUE_H_
