// HTML by construction: text becomes Markup only through Text(), which escapes it.
#ifndef QCONFORM_REPORTS_MARKUP_H_
#define QCONFORM_REPORTS_MARKUP_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace qconform {

class Markup {
 public:
  Markup() = default;
  // Trusted HTML, a literal of our own; never what a file holds.
  static Markup Trusted(std::string_view html) { return Markup(std::string(html)); }
  Markup& operator+=(const Markup& other) {
    html_ += other.html_;
    return *this;
  }
  friend Markup operator+(Markup a, const Markup& b) { return a += b; }
  const std::string& html() const { return html_; }
  bool empty() const { return html_.empty(); }

 private:
  friend Markup Text(std::string_view text);
  friend Markup Element(std::string_view tag, std::string_view attributes,
                        const Markup& content);
  explicit Markup(std::string html) : html_(std::move(html)) {}
  std::string html_;
};

// Escapes &, <, >, ' and "; control characters become spaces, bytes that are no UTF-8
// become U+FFFD. Cuts after `kLongestText` bytes with an ellipsis.
inline constexpr size_t kLongestText = 400;
Markup Text(std::string_view text);

// <tag attributes>content</tag>. `attributes` are literals and numbers of our own, and
// values that went through Attribute().
Markup Element(std::string_view tag, std::string_view attributes, const Markup& content);
Markup Element(std::string_view tag, std::string_view attributes, std::string_view text);

// name="text", escaped.
std::string Attribute(std::string_view name, std::string_view text);

// 1234567 -> "1,234,567"
std::string Count(int64_t value);
// "1 case", "2 cases"
std::string Count(int64_t value, std::string_view one);
// With so many digits that three count: "0.0123", "12.3", "1,234".
std::string Real(double value);
// 0.456 -> "45.6 %"
std::string Share(double value);
// Of seconds: "12.3 µs", "1.23 s".
std::string Duration(double seconds);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_MARKUP_H_
