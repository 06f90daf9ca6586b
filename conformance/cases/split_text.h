// The parts of a text between separators, empty ones among them; at least one.
#ifndef QCONFORM_CONFORMANCE_CASES_SPLIT_TEXT_H_
#define QCONFORM_CONFORMANCE_CASES_SPLIT_TEXT_H_

#include <string>
#include <vector>

namespace qconform {

inline std::vector<std::string> SplitText(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_SPLIT_TEXT_H_
