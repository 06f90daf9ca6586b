#include "reference/formats/json_file.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>

#include "reference/formats/write_file.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

// Counts the lines that end before the last character read: a number's end is seen
// only at the character after it, which may be the newline.
struct LineCount {
  uint32_t line = 1;
  bool newline_pending = false;
  void Read(char c) {
    if (newline_pending) ++line;
    newline_pending = c == '\n';
  }
};

class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* position, LineCount* count)
      : position_(position), count_(count) {}
  reference operator*() const { return *position_; }
  CountingIterator& operator++() {
    count_->Read(*position_);
    ++position_;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const {
    return position_ == other.position_;
  }
  bool operator!=(const CountingIterator& other) const { return !(*this == other); }

 private:
  const char* position_;
  LineCount* count_;
};

// What nlohmann says of a syntax error, without its code and position.
std::string Reason(const std::string& message) {
  const size_t what = message.find("syntax error");
  std::string reason = what == std::string::npos ? message : message.substr(what);
  for (char& c : reason) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return reason;
}

// Builds the document and notes the line of every value.
class Builder : public nlohmann::json_sax<ordered_json> {
 public:
  Builder(const std::string& name, const LineCount& count, ordered_json& root,
          std::vector<uint32_t>& lines)
      : name_(name), count_(count), root_(root), lines_(lines) {}

  bool null() override { return Add(nullptr); }
  bool boolean(bool value) override { return Add(value); }
  bool number_integer(int64_t value) override { return Add(value); }
  bool number_unsigned(uint64_t value) override {
    if (value > static_cast<uint64_t>(INT64_MAX)) RefuseInteger(std::to_string(value));
    return Add(static_cast<int64_t>(value));
  }
  bool number_float(double value, const std::string& text) override {
    if (text.find_first_of(".eE") == std::string::npos) RefuseInteger(text);
    return Add(value);
  }
  bool string(std::string& value) override { return Add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(size_t) override { return Open(ordered_json::object()); }
  bool start_array(size_t) override { return Open(ordered_json::array()); }
  bool end_array() override { return Close(); }
  bool key(std::string& key) override {
    key_ = std::move(key);
    return true;
  }
  bool end_object() override {
    RefuseTwice(*open_.back());
    return Close();
  }
  bool parse_error(size_t, const std::string&,
                   const nlohmann::json::exception& error) override {
    throw InputError(Here(), Reason(error.what()), "JSON");
  }

 private:
  std::string Here() const { return name_ + ":" + std::to_string(count_.line); }

  [[noreturn]] void RefuseInteger(const std::string& text) const {
    throw InputError(Here(), "integer " + text.substr(0, 40) + " is out of range",
                     "a signed 64-bit integer");
  }

  bool Add(ordered_json value) {
    Place(std::move(value));
    return true;
  }

  ordered_json* Place(ordered_json value) {
    lines_.push_back(count_.line);
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    ordered_json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    // Not through ordered_map, which looks for an equal key first.
    auto& members = parent.get_ref<ordered_json::object_t&>();
    using Members = std::vector<ordered_json::object_t::value_type>;
    Members& list = members;
    list.emplace_back(std::move(key_), std::move(value));
    return &list.back().second;
  }

  bool Open(ordered_json value) {
    if (open_.size() >= static_cast<size_t>(kMaxJsonDepth)) {
      throw InputError(Here(), "nesting is too deep",
                       "at most " + std::to_string(kMaxJsonDepth) + " levels");
    }
    open_index_.push_back(lines_.size());
    open_.push_back(Place(std::move(value)));
    return true;
  }

  bool Close() {
    open_.pop_back();
    open_index_.pop_back();
    return true;
  }

  void RefuseTwice(const ordered_json& object) const {
    std::vector<std::string_view> keys;
    keys.reserve(object.size());
    for (const auto& item : object.get_ref<const ordered_json::object_t&>()) {
      keys.push_back(item.first);
    }
    std::sort(keys.begin(), keys.end());
    const auto twice = std::adjacent_find(keys.begin(), keys.end());
    if (twice != keys.end()) {
      throw InputError(
          name_ + ":" + std::to_string(lines_[open_index_.back()]),
          "key '" + std::string(*twice) + "' stands twice in the object that begins here",
          "each key once");
    }
  }

  const std::string& name_;
  const LineCount& count_;
  ordered_json& root_;
  std::vector<uint32_t>& lines_;
  std::vector<ordered_json*> open_;
  std::vector<size_t> open_index_;
  std::string key_;
};

// The place of `wanted` in document order below `value`, counted on from `index`. As
// deep as the document, which is bounded.
bool FindIndex(const ordered_json& value, const ordered_json& wanted, size_t& index) {
  if (&value == &wanted) return true;
  ++index;
  if (!value.is_structured()) return false;
  for (const ordered_json& item : value) {
    if (FindIndex(item, wanted, index)) return true;
  }
  return false;
}

}  // namespace

JsonFile JsonFile::Read(const std::filesystem::path& path) {
  return Parse(ReadFileBytes(path), path.string());
}

JsonFile JsonFile::Parse(std::string_view text, std::string name) {
  JsonFile file;
  file.name_ = std::move(name);
  LineCount count;
  Builder builder(file.name_, count, file.root_, file.lines_);
  const char* begin = text.data();
  try {
    ordered_json::sax_parse(CountingIterator(begin, &count),
                            CountingIterator(begin + text.size(), &count), &builder);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(file.name_ + ":" + std::to_string(count.line), Reason(error.what()),
                     "JSON");
  }
  return file;
}

std::string JsonFile::Where(const ordered_json& value) const {
  size_t index = 0;
  if (!FindIndex(root_, value, index)) return name_;
  return name_ + ":" + std::to_string(lines_[index]);
}

}  // namespace qconform
