// Two values of one thing as diff(1) shows them.
#ifndef QCONFORM_REFERENCE_DIFF_CHANGED_LINE_H_
#define QCONFORM_REFERENCE_DIFF_CHANGED_LINE_H_

#include <fmt/format.h>

#include <string>

namespace qconform {

// Appends "< what before" and "> what after", a line each, unless both are equal.
inline void AppendChange(std::string& text, const std::string& what,
                         const std::string& before, const std::string& after) {
  if (before == after) return;
  text += fmt::format("< {} {}\n> {} {}\n", what, before, what, after);
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_DIFF_CHANGED_LINE_H_
