#include "reference/formats/json_text.h"

namespace qconform {
namespace {

std::string Scalar(const ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class Writer {
 public:
  explicit Writer(int width) : width_(static_cast<size_t>(width)) {}

  // As deep as the value is nested, which the readers bound.
  void Write(const ordered_json& value, size_t indent) {
    if (!value.is_structured() || value.empty()) {
      text_ += Scalar(value);
      return;
    }
    const size_t start = text_.size();
    // The line so far counts as well, and one place is kept for a comma.
    const size_t column = start - (text_.rfind('\n') + 1);
    if (column < width_ && WriteOnOneLine(value, start + (width_ - column) - 1)) return;
    text_.resize(start);
    const bool is_object = value.is_object();
    text_ += is_object ? '{' : '[';
    bool first = true;
    for (auto it = value.begin(); it != value.end(); ++it) {
      text_ += first ? "\n" : ",\n";
      first = false;
      text_.append(indent + 2, ' ');
      if (is_object) text_ += Scalar(ordered_json(it.key())) + ": ";
      Write(*it, indent + 2);
    }
    text_ += '\n';
    text_.append(indent, ' ');
    text_ += is_object ? '}' : ']';
  }

  std::string Take() { return std::move(text_); }

 private:
  // False as soon as text_ would pass `limit`; so the time at each level is bounded.
  bool WriteOnOneLine(const ordered_json& value, size_t limit) {
    if (!value.is_structured()) {
      text_ += Scalar(value);
      return text_.size() <= limit;
    }
    const bool is_object = value.is_object();
    text_ += is_object ? '{' : '[';
    bool first = true;
    for (auto it = value.begin(); it != value.end(); ++it) {
      if (!first) text_ += ", ";
      first = false;
      if (is_object) text_ += Scalar(ordered_json(it.key())) + ": ";
      if (!WriteOnOneLine(*it, limit)) return false;
    }
    text_ += is_object ? '}' : ']';
    return text_.size() <= limit;
  }

  size_t width_;
  std::string text_;
};

}  // namespace

std::string JsonText(const ordered_json& value, int width) {
  Writer writer(width);
  writer.Write(value, 0);
  return writer.Take() + "\n";
}

}  // namespace qconform
