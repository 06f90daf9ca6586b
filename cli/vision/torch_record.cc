#include "cli/vision/torch_record.h"

#include <fstream>

#include "reference/ir/error.h"

namespace qconform::vision {
namespace {

// "conv1: K3 weight=..." with the text of K3.
std::string Expanded(const std::string& line,
                     const std::unordered_map<std::string, std::string>& kinds) {
  const size_t colon = line.find(": K");
  if (colon == std::string::npos) return line;
  const size_t begin = colon + 2;
  const size_t end = std::min(line.find(' ', begin), line.size());
  const auto kind = kinds.find(line.substr(begin, end - begin));
  if (kind == kinds.end()) return line;
  return line.substr(0, begin) + kind->second + line.substr(end);
}

}  // namespace

TorchRecord::TorchRecord(const std::filesystem::path& file) : name_(file.string()) {
  std::ifstream stream(file);
  if (!std::getline(stream, heading_))
    throw InputError(name_, "no record", "a text file");
  Lines* section = nullptr;
  std::string line;
  while (std::getline(stream, line)) {
    if (!line.starts_with("== ")) {
      if (section == nullptr) throw InputError(name_, "a line before the first section");
      section->push_back(line);
      continue;
    }
    const size_t is = line.find(" is ");
    const std::string title = line.substr(3, is == std::string::npos ? is : is - 3);
    Lines lines;
    if (is != std::string::npos) lines = Section(line.substr(is + 4));
    section = &(sections_[title] = std::move(lines));
  }
  std::unordered_map<std::string, std::string> kinds;
  for (const std::string& kind : Section("kinds")) {
    const size_t equals = kind.find(" = ");
    if (equals == std::string::npos)
      throw InputError(name_, "'" + kind + "'", "K0 = TEXT");
    kinds[kind.substr(0, equals)] = kind.substr(equals + 3);
  }
  for (auto& [title, lines] : sections_) {
    if (title == "kinds") continue;
    for (std::string& text : lines) text = Expanded(text, kinds);
  }
}

const Lines& TorchRecord::Section(const std::string& title) const {
  const auto found = sections_.find(title);
  if (found == sections_.end()) throw InputError(name_, "there is no section " + title);
  return found->second;
}

}  // namespace qconform::vision
