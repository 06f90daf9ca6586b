// The journal of a run: JSON Lines, flushed line by line, so that a killed run loses
// at most the case in flight.
#ifndef QCONFORM_CONFORMANCE_VERDICT_JOURNAL_H_
#define QCONFORM_CONFORMANCE_VERDICT_JOURNAL_H_

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "conformance/verdict/record.h"

namespace qconform {

// One line of a journal, with its end.
std::string JournalLine(const nlohmann::ordered_json& record);

class JournalWriter {
 public:
  // Starts a new file, or goes on behind the whole lines of an old one. Throws
  // InputError if the file cannot be written.
  enum class Mode { kNew, kResume };
  JournalWriter(const std::filesystem::path& file, Mode mode);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  void Write(const nlohmann::ordered_json& line);

 private:
  std::filesystem::path path_;
  std::FILE* file_ = nullptr;
};

struct Journal {
  std::optional<RunHeader> header;
  std::vector<CaseRecord> cases;
  std::optional<RunFooter> footer;
};

// A last line that was cut off is dropped; any other bad line throws InputError with
// its number. A file without a header is an error too.
Journal ReadJournal(const std::filesystem::path& file);

// True of a run that was killed before its header was written.
bool HasNoWholeLine(const std::filesystem::path& file);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_JOURNAL_H_
