#include "cli/print_record.h"

#include <fmt/format.h>

namespace qconform {

void PrintRecord(const CaseRecord& record, std::ostream& out) {
  const auto line = [&out](const char* name, const std::string& text) {
    if (!text.empty()) out << fmt::format("{:<11} {}\n", name, text);
  };
  std::string verdict(VerdictName(record.verdict));
  if (!record.signal.empty()) verdict += "(" + record.signal + ")";
  if (!record.cause.empty()) verdict += ", " + record.cause;
  if (!record.phase.empty()) verdict += ", in " + record.phase;
  std::string scheme = record.scheme_declared;
  if (!record.scheme_compared.empty() && record.scheme_compared != scheme)
    scheme += ", compared with " + record.scheme_compared;
  line("case", record.id);
  line("backend",
       fmt::format("{} {}  sha256 {}", record.backend.name, record.backend.version,
                   record.backend.sha256.substr(0, 12)));
  line("verdict", verdict);
  line("row", record.row);
  line("scheme", scheme);
  line("bound", record.bound);
  if (!record.bound.empty() && IsPassed(record)) {
    line("",
         fmt::format("{} of {} elements differ from the reference's, inside their sets",
                     record.differing_elements, record.elements));
  }
  if (record.level >= 0) line("level", std::to_string(record.level));
  line("path", record.path);
  line("formats", fmt::format("{}", fmt::join(record.memory_formats, ", ")));
  line("reason", record.reason);
  for (const std::string& detail : record.details) line("", detail);
  line("printed", record.printed);
}

}  // namespace qconform
