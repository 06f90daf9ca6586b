#include "reports/run_journal.h"

#include <algorithm>
#include <unordered_map>

#include "reports/report_error.h"

namespace qconform {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void Refuse(const std::string& file, size_t line, const std::string& what,
                         const std::string& expected) {
  throw ReportError(file + ":" + std::to_string(line) + ": " + what + ", expected " +
                    expected);
}

void CountCases(RunJournal& journal) {
  for (const CaseRecord& record : journal.cases) {
    journal.passed += IsPassed(record) ? 1 : 0;
    journal.failed += IsFailed(record) ? 1 : 0;
    journal.skipped += IsSkipped(record) ? 1 : 0;
  }
  const int64_t announced =
      std::max(journal.header.cases, journal.footer ? journal.footer->selected : 0);
  journal.not_run =
      std::max<int64_t>(0, announced - static_cast<int64_t>(journal.cases.size()));
  journal.complete = journal.footer && journal.footer->complete && journal.not_run == 0;
}

}  // namespace

RunJournal ParseRunJournal(std::string_view text, const std::string& file) {
  RunJournal journal;
  journal.file = file;
  bool has_header = false;
  std::unordered_map<std::string, size_t> index;
  size_t number = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const bool is_whole = end != std::string_view::npos;
    const std::string_view line = text.substr(0, end);
    text = is_whole ? text.substr(end + 1) : std::string_view();
    ++number;
    if (line.empty()) continue;
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded()) {
      if (!is_whole) break;  // the run was killed while it wrote
      Refuse(file, number, "this is not JSON", "one record a line");
    }
    try {
      const auto kind = json.at("record").get<std::string>();
      if (kind == "header") {
        journal.header = json.get<RunHeader>();
        has_header = true;
      } else if (kind == "case") {
        CaseRecord record = json.get<CaseRecord>();
        const auto [found, is_new] = index.emplace(record.id, journal.cases.size());
        if (is_new) {
          journal.cases.push_back(std::move(record));
        } else {
          journal.cases[found->second] = std::move(record);
        }
      } else if (kind == "footer") {
        journal.footer = json.get<RunFooter>();
      } else {
        Refuse(file, number, "a record of kind '" + kind + "'", "header, case or footer");
      }
    } catch (const nlohmann::json::exception& error) {
      Refuse(file, number, error.what(), "a record of a run");
    }
  }
  if (!has_header) Refuse(file, 1, "there is no header", "the journal of a run");
  CountCases(journal);
  return journal;
}

}  // namespace qconform
