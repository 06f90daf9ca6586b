#include "reports/markup.h"

#include <fmt/format.h>

#include <cmath>

namespace qconform {
namespace {

// Length of the UTF-8 character at the front, or 0.
size_t CharacterLength(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const size_t length = first < 0x80   ? 1
                        : first < 0xC2 ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                        : first < 0xF5 ? 4
                                       : 0;
  if (length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
  }
  return length;
}

std::string Escaped(std::string_view text) {
  const bool cut = text.size() > kLongestText;
  if (cut) text = text.substr(0, kLongestText);
  std::string html;
  while (!text.empty()) {
    const size_t length = CharacterLength(text);
    const char c = text[0];
    if (length != 1) {
      html += length == 0 ? "\xEF\xBF\xBD" : text.substr(0, length);
    } else if (c == '&') {
      html += "&amp;";
    } else if (c == '<') {
      html += "&lt;";
    } else if (c == '>') {
      html += "&gt;";
    } else if (c == '"') {
      html += "&quot;";
    } else if (c == '\'') {
      html += "&#39;";
    } else {
      html += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return cut ? html + "…" : html;
}

}  // namespace

Markup Text(std::string_view text) { return Markup(Escaped(text)); }

Markup Element(std::string_view tag, std::string_view attributes, const Markup& content) {
  return Markup(fmt::format("<{}{}{}>{}</{}>\n", tag, attributes.empty() ? "" : " ",
                            attributes, content.html(), tag));
}

Markup Element(std::string_view tag, std::string_view attributes, std::string_view text) {
  return Element(tag, attributes, Text(text));
}

std::string Attribute(std::string_view name, std::string_view text) {
  return fmt::format("{}=\"{}\"", name, Escaped(text));
}

std::string Count(int64_t value) {
  std::string text = std::to_string(value);
  const size_t first_digit = value < 0 ? 1 : 0;
  for (size_t i = text.size(); i > first_digit + 3;) text.insert(i -= 3, ",");
  return text;
}

std::string Count(int64_t value, std::string_view one) {
  return Count(value) + " " + std::string(one) + (value == 1 ? "" : "s");
}

std::string Real(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  if (std::abs(value) >= 1000) return Count(std::llround(value));
  if (value == 0) return "0";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  return fmt::format("{:.{}f}", value, std::min(std::max(0, 2 - magnitude), 9));
}

std::string Share(double value) { return fmt::format("{:.1f} %", 100 * value); }

std::string Duration(double seconds) {
  if (seconds >= 1) return Real(seconds) + " s";
  if (seconds >= 1e-3) return Real(seconds * 1e3) + " ms";
  return Real(seconds * 1e6) + " µs";
}

}  // namespace qconform
