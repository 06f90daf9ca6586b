#include "conformance/verdict/journal.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "reference/ir/error.h"

namespace qconform {
namespace {

// Bytes up to and with the last newline: what is behind it was cut off.
void DropCutLine(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return;
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  const size_t end = text.rfind('\n');
  const size_t whole = end == std::string::npos ? 0 : end + 1;
  if (whole < text.size()) std::filesystem::resize_file(file, whole);
}

}  // namespace

std::string JournalLine(const nlohmann::ordered_json& record) {
  // Captured output of a backend need not be UTF-8.
  return record.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

JournalWriter::JournalWriter(const std::filesystem::path& file, Mode mode) : path_(file) {
  if (mode == Mode::kResume) DropCutLine(file);
  file_ = std::fopen(file.c_str(), mode == Mode::kResume ? "ab" : "wb");
  if (file_ == nullptr) {
    throw InputError(file.string(),
                     "cannot be written (" + std::string(std::strerror(errno)) + ")",
                     "a file for the journal");
  }
}

JournalWriter::~JournalWriter() { std::fclose(file_); }

void JournalWriter::Write(const nlohmann::ordered_json& line) {
  const std::string text = JournalLine(line);
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() ||
      std::fflush(file_) != 0) {
    throw InputError(path_.string(), "cannot be written to", "room for the journal");
  }
}

bool HasNoWholeLine(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string line;
  return !std::getline(stream, line) || stream.eof();
}

Journal ReadJournal(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(file.string(), "cannot be read", "a journal");
  Journal journal;
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    const std::string where = file.string() + ":" + std::to_string(number);
    try {
      const auto json = nlohmann::ordered_json::parse(line);
      const auto kind = json.at("record").get<std::string>();
      if (kind == "header") {
        journal.header = json.get<RunHeader>();
      } else if (kind == "case") {
        journal.cases.push_back(json.get<CaseRecord>());
      } else if (kind == "footer") {
        journal.footer = json.get<RunFooter>();
      } else {
        throw InputError(where, "record '" + kind + "'", "header, case or footer");
      }
    } catch (const nlohmann::json::exception& error) {
      if (stream.eof()) break;  // no newline behind it: the run was killed here
      throw InputError(where, "not a line of a journal", "one JSON object");
    }
    if (!journal.header) {
      throw InputError(where, "the first line is no header", "a record 'header'");
    }
  }
  if (!journal.header) throw InputError(file.string(), "empty", "a journal");
  return journal;
}

}  // namespace qconform
