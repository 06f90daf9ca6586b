// Names out of a file in a message of one line.
#ifndef QCONFORM_REFERENCE_EXPORTED_QUOTED_TEXT_H_
#define QCONFORM_REFERENCE_EXPORTED_QUOTED_TEXT_H_

#include <string>
#include <string_view>

namespace qconform {

// 'text', cut where it is long; '?' for control characters.
inline std::string Quoted(std::string_view text) {
  constexpr size_t kMost = 200;
  std::string quoted = "'";
  for (const char c : text.substr(0, kMost)) {
    const auto code = static_cast<unsigned char>(c);
    quoted += code < 0x20 || code == 0x7F ? '?' : c;
  }
  return quoted + (text.size() > kMost ? "...'" : "'");
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPORTED_QUOTED_TEXT_H_
