#include "reference/observe/observer_arguments.h"

#include "reference/ir/error.h"

namespace qconform {

const Argument* ObserverArguments::Take(const std::string& name) {
  taken_.insert(name);
  const Argument* value = values_.Find(name);
  return value == nullptr || value->IsNone() ? nullptr : value;
}

bool ObserverArguments::Has(const std::string& name) { return Take(name) != nullptr; }

DType ObserverArguments::TakeDType(const std::string& name, DType fallback) {
  const Argument* value = Take(name);
  if (value == nullptr) return fallback;
  if (const DType* dtype = value->As<DType>()) return *dtype;
  if (const std::string* text = value->As<std::string>()) {
    if (const std::optional<DType> dtype = ParseDType(*text)) return *dtype;
  }
  WrongType(name, "a dtype");
}

QScheme ObserverArguments::TakeQScheme(const std::string& name, QScheme fallback) {
  const Argument* value = Take(name);
  if (value == nullptr) return fallback;
  const std::string* text = value->As<std::string>();
  const OpaqueValue* opaque = value->As<OpaqueValue>();
  if (opaque != nullptr) text = &opaque->text;
  if (text != nullptr) {
    if (const std::optional<QScheme> qscheme = ParseQScheme(*text)) return *qscheme;
  }
  WrongType(name, "a qscheme");
}

bool ObserverArguments::TakeBoolean(const std::string& name, bool fallback) {
  const Argument* value = Take(name);
  if (value == nullptr) return fallback;
  if (const bool* flag = value->As<bool>()) return *flag;
  if (const int64_t* number = value->As<int64_t>()) return *number != 0;
  WrongType(name, "a bool");
}

std::optional<int64_t> ObserverArguments::TakeInteger(const std::string& name) {
  const Argument* value = Take(name);
  if (value == nullptr) return std::nullopt;
  if (const int64_t* number = value->As<int64_t>()) return *number;
  if (const bool* flag = value->As<bool>()) return *flag ? 1 : 0;
  WrongType(name, "an int");
}

std::optional<double> ObserverArguments::TakeReal(const std::string& name) {
  const Argument* value = Take(name);
  if (value == nullptr) return std::nullopt;
  if (const double* number = value->As<double>()) return *number;
  if (const int64_t* number = value->As<int64_t>()) return static_cast<double>(*number);
  WrongType(name, "a float");
}

void ObserverArguments::RejectOthers() const {
  for (const auto& [name, value] : values_) {
    if (taken_.count(name) == 0) {
      throw PipelineError("TypeError",
                          class_name_ + " got an unexpected keyword argument " + name);
    }
  }
}

void ObserverArguments::WrongType(const std::string& name,
                                  const std::string& expected) const {
  throw PipelineError("TypeError", class_name_ + ": " + name +
                                       " has the wrong type, expected " + expected);
}

}  // namespace qconform
