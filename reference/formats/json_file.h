// JSON text with the line of every value, so that an error about a value's meaning
// can say where the value stands as well as an error about its syntax can.
#ifndef QCONFORM_REFERENCE_FORMATS_JSON_FILE_H_
#define QCONFORM_REFERENCE_FORMATS_JSON_FILE_H_

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace qconform {

using nlohmann::ordered_json;

// Deeper nesting is refused: the codecs recurse over it.
inline constexpr int kMaxJsonDepth = 64;

class JsonFile {
 public:
  // Throw InputError "name:line: ..." on malformed text, nesting beyond
  // kMaxJsonDepth, a key that stands twice in one object, and integers outside 64
  // bits; Read also if the file cannot be read.
  static JsonFile Read(const std::filesystem::path& path);
  static JsonFile Parse(std::string_view text, std::string name);

  const ordered_json& root() const { return root_; }
  const std::string& name() const { return name_; }
  // "name:line" of a value inside root(), found by its address; "name" for a value
  // that is not. Walks the document: for error paths only.
  std::string Where(const ordered_json& value) const;

 private:
  std::string name_;
  ordered_json root_;
  std::vector<uint32_t> lines_;  // of each value, in document order
};

// Where a value comes from: a parsed file, or a fixed text where there is none.
class JsonOrigin {
 public:
  JsonOrigin(const JsonFile& file) : file_(&file) {}        // NOLINT
  JsonOrigin(std::string name) : name_(std::move(name)) {}  // NOLINT
  JsonOrigin(const char* name) : name_(name) {}             // NOLINT
  std::string Of(const ordered_json& value) const {
    return file_ != nullptr ? file_->Where(value) : name_;
  }

 private:
  const JsonFile* file_ = nullptr;  // outlives the origin
  std::string name_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FORMATS_JSON_FILE_H_
