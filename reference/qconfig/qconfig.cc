#include "reference/qconfig/qconfig.h"

#include <fmt/format.h>

#include "reference/config/pattern.h"

namespace qconform {

bool operator==(const ObserverConstructor& a, const ObserverConstructor& b) {
  if (a.class_name != b.class_name || a.has_arguments != b.has_arguments ||
      a.kwargs.size() != b.kwargs.size() ||
      (a.observer == nullptr) != (b.observer == nullptr)) {
    return false;
  }
  if (a.observer != nullptr && !(*a.observer == *b.observer)) return false;
  for (const auto& [key, value] : a.kwargs) {
    const Argument* other = b.kwargs.Find(key);
    if (other == nullptr || !PythonEqual(value, *other)) return false;
  }
  return true;
}

bool QConfigEquals(const QConfigPointer& a, const QConfigPointer& b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a == b || *a == *b;
}

namespace {

std::string ValueText(const Argument& value) {
  if (const bool* flag = value.As<bool>()) return *flag ? "True" : "False";
  if (const double* real = value.As<double>()) return fmt::format("{}", *real);
  if (const std::string* text = value.As<std::string>()) return *text;
  return Pattern::Literal(value).Text();
}

std::string SideText(const std::optional<ObserverConstructor>& side) {
  return side ? ToText(*side) : "None";
}

}  // namespace

std::string ToText(const ObserverConstructor& constructor) {
  std::string text = constructor.class_name + "(";
  const char* separator = "";
  if (constructor.observer != nullptr) {
    text += "observer=" + ToText(*constructor.observer);
    separator = ", ";
  }
  for (const auto& [key, value] : constructor.kwargs) {
    text += separator + key + "=" + ValueText(value);
    separator = ", ";
  }
  return text + ")";
}

std::string ToText(const QConfigPointer& qconfig) {
  if (qconfig == nullptr) return "None";
  return "QConfig(activation=" + SideText(qconfig->activation) +
         ", weight=" + SideText(qconfig->weight) + ")";
}

}  // namespace qconform
