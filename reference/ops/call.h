// The arguments of one call, found by position or keyword and checked for their kind.
#ifndef QCONFORM_REFERENCE_OPS_CALL_H_
#define QCONFORM_REFERENCE_OPS_CALL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/ir/ordered_map.h"
#include "reference/ops/value.h"

namespace qconform {

class Registry;

// Every accessor takes the position and the keyword of a parameter of torch's
// signature and throws InputError, naming the node, if the argument is of another
// kind. An argument that no accessor asked for is an error as well (CheckAllRead):
// no setting is ignored in silence.
class Call {
 public:
  // `where` names the node and its target in messages.
  Call(std::string where, std::vector<Value> args, OrderedMap<Value> kwargs = {});

  const std::string& where() const { return where_; }
  const std::vector<Value>& args() const { return args_; }
  const OrderedMap<Value>& kwargs() const { return kwargs_; }

  // nullptr if not given.
  const Value* Find(size_t position, const char* keyword) const;
  // Throws if not given.
  const Value& Get(size_t position, const char* keyword) const;

  const Tensor& TensorAt(size_t position, const char* keyword) const;
  // nullptr if not given or None.
  const Tensor* OptionalTensor(size_t position, const char* keyword) const;
  // Booleans count as integers, one-element integer tensors as well.
  int64_t Integer(size_t position, const char* keyword) const;
  int64_t Integer(size_t position, const char* keyword, int64_t fallback) const;
  std::optional<int64_t> OptionalInteger(size_t position, const char* keyword) const;
  // Integers count as reals, one-element tensors as well.
  double Real(size_t position, const char* keyword) const;
  double Real(size_t position, const char* keyword, double fallback) const;
  std::optional<double> OptionalReal(size_t position, const char* keyword) const;
  bool Boolean(size_t position, const char* keyword, bool fallback) const;
  std::string Text(size_t position, const char* keyword, const char* fallback) const;
  std::optional<DType> OptionalDType(size_t position, const char* keyword) const;
  // A list or tuple of integers; one integer gives a list of one. nullopt if not
  // given or None.
  std::optional<std::vector<int64_t>> OptionalIntegers(size_t position,
                                                       const char* keyword) const;
  std::vector<int64_t> Integers(size_t position, const char* keyword) const;
  // A list or tuple of tensors.
  std::vector<Tensor> Tensors(size_t position, const char* keyword) const;
  // All arguments from `position` on as integers: view(2, -1) and view((2, -1)).
  std::vector<int64_t> TrailingIntegers(size_t position, const char* keyword) const;
  // The given arguments without meaning for the values (inplace, generator, ...).
  void Ignore(size_t position, const char* keyword) const;

  // Throws InputError for the first argument that was never asked for.
  void CheckAllRead() const;

  [[noreturn]] void Fail(const std::string& what, const std::string& expected = "") const;

 private:
  [[noreturn]] void WrongKind(const char* keyword, const Value& value,
                              const char* expected) const;

  std::string where_;
  std::vector<Value> args_;
  OrderedMap<Value> kwargs_;
  mutable std::vector<bool> read_args_;
  mutable OrderedMap<bool> read_kwargs_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_CALL_H_
