#include "reference/ops/call.h"

#include <cmath>

#include "reference/ir/error.h"

namespace qconform {
namespace {

std::optional<int64_t> AsInteger(const Value& value) {
  if (const int64_t* integer = value.As<int64_t>()) return *integer;
  if (const bool* flag = value.As<bool>()) return *flag ? 1 : 0;
  if (const Tensor* tensor = value.As<Tensor>()) {
    if (tensor->numel() == 1 && !IsFloatingDType(tensor->dtype())) {
      return tensor->IntegerAt(0);
    }
  }
  return std::nullopt;
}

std::optional<double> AsReal(const Value& value) {
  if (const double* real = value.As<double>()) return *real;
  if (const std::optional<int64_t> integer = AsInteger(value)) {
    return static_cast<double>(*integer);
  }
  if (const Tensor* tensor = value.As<Tensor>()) {
    if (tensor->numel() == 1) return tensor->ValueAt(0);
  }
  return std::nullopt;
}

std::optional<std::vector<int64_t>> AsIntegers(const Value& value) {
  if (const std::optional<int64_t> integer = AsInteger(value)) {
    return std::vector<int64_t>{*integer};
  }
  const ValueSequence* sequence = value.As<ValueSequence>();
  if (sequence == nullptr) return std::nullopt;
  std::vector<int64_t> integers;
  for (const Value& item : sequence->items) {
    const std::optional<int64_t> integer = AsInteger(item);
    if (!integer) return std::nullopt;
    integers.push_back(*integer);
  }
  return integers;
}

}  // namespace

Call::Call(std::string where, std::vector<Value> args, OrderedMap<Value> kwargs)
    : where_(std::move(where)),
      args_(std::move(args)),
      kwargs_(std::move(kwargs)),
      read_args_(args_.size(), false) {}

const Value* Call::Find(size_t position, const char* keyword) const {
  if (position < args_.size()) {
    read_args_[position] = true;
    return &args_[position];
  }
  const Value* value = kwargs_.empty() ? nullptr : kwargs_.Find(keyword);
  if (value != nullptr) read_kwargs_.Set(keyword, true);
  return value;
}

const Value& Call::Get(size_t position, const char* keyword) const {
  const Value* value = Find(position, keyword);
  if (value == nullptr) Fail("missing argument", std::string("'") + keyword + "'");
  return *value;
}

const Tensor& Call::TensorAt(size_t position, const char* keyword) const {
  const Value& value = Get(position, keyword);
  const Tensor* tensor = value.As<Tensor>();
  if (tensor == nullptr) WrongKind(keyword, value, "a tensor");
  return *tensor;
}

const Tensor* Call::OptionalTensor(size_t position, const char* keyword) const {
  const Value* value = Find(position, keyword);
  if (value == nullptr || value->IsNone()) return nullptr;
  const Tensor* tensor = value->As<Tensor>();
  if (tensor == nullptr) WrongKind(keyword, *value, "a tensor or None");
  return tensor;
}

int64_t Call::Integer(size_t position, const char* keyword) const {
  const Value& value = Get(position, keyword);
  const std::optional<int64_t> integer = AsInteger(value);
  if (!integer) WrongKind(keyword, value, "an integer");
  return *integer;
}

std::optional<int64_t> Call::OptionalInteger(size_t position, const char* keyword) const {
  const Value* value = Find(position, keyword);
  if (value == nullptr || value->IsNone()) return std::nullopt;
  return Integer(position, keyword);
}

int64_t Call::Integer(size_t position, const char* keyword, int64_t fallback) const {
  return Find(position, keyword) == nullptr ? fallback : Integer(position, keyword);
}

double Call::Real(size_t position, const char* keyword) const {
  const Value& value = Get(position, keyword);
  const std::optional<double> real = AsReal(value);
  if (!real) WrongKind(keyword, value, "a number");
  return *real;
}

double Call::Real(size_t position, const char* keyword, double fallback) const {
  return Find(position, keyword) == nullptr ? fallback : Real(position, keyword);
}

std::optional<double> Call::OptionalReal(size_t position, const char* keyword) const {
  const Value* value = Find(position, keyword);
  if (value == nullptr || value->IsNone()) return std::nullopt;
  return Real(position, keyword);
}

bool Call::Boolean(size_t position, const char* keyword, bool fallback) const {
  const Value* value = Find(position, keyword);
  if (value == nullptr || value->IsNone()) return fallback;
  const std::optional<int64_t> integer = AsInteger(*value);
  if (!integer) WrongKind(keyword, *value, "True or False");
  return *integer != 0;
}

std::string Call::Text(size_t position, const char* keyword, const char* fallback) const {
  const Value* value = Find(position, keyword);
  if (value == nullptr || value->IsNone()) return fallback;
  const std::string* text = value->As<std::string>();
  if (text == nullptr) WrongKind(keyword, *value, "a string");
  return *text;
}

std::optional<DType> Call::OptionalDType(size_t position, const char* keyword) const {
  const Value* value = Find(position, keyword);
  if (value == nullptr || value->IsNone()) return std::nullopt;
  const DType* dtype = value->As<DType>();
  if (dtype == nullptr) WrongKind(keyword, *value, "a dtype");
  return *dtype;
}

std::optional<std::vector<int64_t>> Call::OptionalIntegers(size_t position,
                                                           const char* keyword) const {
  const Value* value = Find(position, keyword);
  if (value == nullptr || value->IsNone()) return std::nullopt;
  std::optional<std::vector<int64_t>> integers = AsIntegers(*value);
  if (!integers) WrongKind(keyword, *value, "integers");
  return integers;
}

std::vector<int64_t> Call::Integers(size_t position, const char* keyword) const {
  Get(position, keyword);
  std::optional<std::vector<int64_t>> integers = OptionalIntegers(position, keyword);
  if (!integers) Fail(std::string(keyword) + " is None", "integers");
  return *integers;
}

std::vector<Tensor> Call::Tensors(size_t position, const char* keyword) const {
  const Value& value = Get(position, keyword);
  const ValueSequence* sequence = value.As<ValueSequence>();
  if (sequence == nullptr) WrongKind(keyword, value, "a list of tensors");
  std::vector<Tensor> tensors;
  for (const Value& item : sequence->items) {
    const Tensor* tensor = item.As<Tensor>();
    if (tensor == nullptr) WrongKind(keyword, item, "a tensor");
    tensors.push_back(*tensor);
  }
  return tensors;
}

std::vector<int64_t> Call::TrailingIntegers(size_t position, const char* keyword) const {
  if (args_.size() <= position + 1) return Integers(position, keyword);
  std::vector<int64_t> integers;
  for (size_t i = position; i < args_.size(); ++i)
    integers.push_back(Integer(i, keyword));
  return integers;
}

void Call::Ignore(size_t position, const char* keyword) const { Find(position, keyword); }

void Call::CheckAllRead() const {
  for (size_t i = 0; i < read_args_.size(); ++i) {
    if (!read_args_[i]) {
      Fail("argument " + std::to_string(i) + " (" + ValueText(args_[i]) +
           ") is not supported");
    }
  }
  for (const auto& [keyword, value] : kwargs_) {
    if (!read_kwargs_.Contains(keyword)) {
      Fail("argument '" + keyword + "' (" + ValueText(value) + ") is not supported");
    }
  }
}

void Call::Fail(const std::string& what, const std::string& expected) const {
  throw InputError(where_, what, expected);
}

void Call::WrongKind(const char* keyword, const Value& value,
                     const char* expected) const {
  Fail(std::string("argument '") + keyword + "' is " + ValueText(value), expected);
}

}  // namespace qconform
