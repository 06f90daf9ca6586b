// For tests: a file as text.
#ifndef QCONFORM_CLI_TEST_TEXT_H_
#define QCONFORM_CLI_TEST_TEXT_H_

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace qconform {

inline std::string ReadText(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace qconform

#endif  // QCONFORM_CLI_TEST_TEXT_H_
