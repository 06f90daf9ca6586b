#include "conformance/verdict/session.h"

#include <chrono>
#include <ctime>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "conformance/cases/declared_row.h"
#include "conformance/verdict/journal.h"
#include "reference/formats/sha256.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

std::string NowUtc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

void CheckSameRun(const RunHeader& old, const RunHeader& now, const std::string& where) {
  const auto check = [&](const std::string& before, const std::string& after,
                         const char* what) {
    if (before != after)
      throw InputError(where, std::string("was written for another ") + what, after);
  };
  check(old.suite, now.suite, "suite");
  check(old.suite_digest, now.suite_digest, "content of the suite");
  check(old.backend.sha256, now.backend.sha256, "build of the backend");
  check(old.config_digest, now.config_digest, "config");
  check(old.tool, now.tool, "version of qconform");
  if (old.machine != now.machine) {
    throw InputError(where, "was written on another machine or path",
                     "the same cpu and the same QCONFORM_ISA");
  }
}

// Rows of the config with the number of cases that each got.
std::vector<RowCoverage> RowsCovered(
    const BackendConfig* config, const std::unordered_map<std::string, int64_t>& ran) {
  std::vector<RowCoverage> rows;
  if (config == nullptr) return rows;
  for (const std::string& row : RowNames(*config)) {
    auto found = ran.find(row);
    rows.push_back({row, found == ran.end() ? 0 : found->second});
  }
  return rows;
}

}  // namespace

BackendIdentity IdentityOf(Worker& worker, const std::filesystem::path& file) {
  const LoadedBackend& loaded = worker.Load();
  return {loaded.name, loaded.version, Sha256HexOfFile(file), file.filename().string()};
}

SessionResult RunSession(const std::vector<CaseSource>& cases, const Subject& subject,
                         const SessionOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  SessionResult result;
  std::unordered_map<std::string, int64_t> rows;
  std::unordered_set<std::string> done;
  const auto add = [&](const CaseRecord& record) {
    result.summary.Add(record);
    if (!record.row.empty()) ++rows[record.row];
    done.insert(record.id);
  };

  RunHeader header;
  header.tool = std::string("qconform ") + QCONFORM_VERSION;
  header.suite = options.suite;
  header.suite_digest = options.suite_digest;
  header.config_digest = options.config_digest;
  header.backend = subject.identity;
  const LoadedBackend& loaded = subject.worker.Load();
  header.abi = std::to_string(loaded.abi_major) + "." + std::to_string(loaded.abi_minor);
  header.cases = static_cast<int64_t>(cases.size());
  header.started = NowUtc();
  header.machine = MachineFacts();

  std::unordered_set<std::string> ids;
  for (const CaseSource& source : cases) {
    if (!ids.insert(source.id).second) {
      throw InputError(source.id, "two selected cases have this id",
                       "one suite or golden of a name at a time");
    }
  }
  if (options.resume && !std::filesystem::exists(options.journal)) {
    throw InputError(options.journal.string(), "no such journal to resume",
                     "the journal of an earlier run");
  }
  if (options.resume) {
    const Journal old = ReadJournal(options.journal);
    CheckSameRun(*old.header, header, options.journal.string());
    std::unordered_set<std::string> selected;
    for (const CaseSource& source : cases) selected.insert(source.id);
    for (const CaseRecord& record : old.cases) {
      if (!selected.contains(record.id) || done.contains(record.id)) continue;
      add(record);
      ++result.resumed;
    }
  }
  std::unique_ptr<JournalWriter> journal;
  if (!options.journal.empty()) {
    journal = std::make_unique<JournalWriter>(
        options.journal,
        options.resume ? JournalWriter::Mode::kResume : JournalWriter::Mode::kNew);
    if (!options.resume) journal->Write(header);
  }
  for (const CaseSource& source : cases) {
    if (options.interrupted != nullptr && *options.interrupted != 0) {
      result.interrupted = true;
      break;
    }
    if (done.contains(source.id)) continue;
    CaseRecord record = source.run(subject);
    record.id = source.id;
    record.group = source.group;
    add(record);
    if (journal) journal->Write(record);
    if (options.on_record) options.on_record(record, done.size(), cases.size());
  }
  result.footer =
      result.summary.Footer(static_cast<int64_t>(cases.size()), !result.interrupted);
  result.footer.rows = RowsCovered(subject.config, rows);
  result.footer.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (journal) journal->Write(result.footer);
  return result;
}

}  // namespace qconform
