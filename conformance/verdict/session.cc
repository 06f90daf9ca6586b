#include "conformance/verdict/session.h"

#include <chrono>
#include <optional>
#include <random>
#include <unordered_map>

#include "conformance/verdict/case_queue.h"
#include "conformance/verdict/coverage.h"
#include "conformance/verdict/journal.h"
#include "conformance/verdict/run_header.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

using PlaceOfId = std::unordered_map<std::string, size_t>;

PlaceOfId PlacesOf(const std::vector<CaseSource>& cases) {
  PlaceOfId places;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (!places.emplace(cases[i].id, i).second) {
      throw InputError(cases[i].id, "two selected cases have this id",
                       "one suite or golden of a name at a time");
    }
  }
  return places;
}

// What the journal of an earlier run holds of the cases.
std::vector<std::optional<CaseRecord>> RecordsOfJournal(
    const std::vector<CaseSource>& cases, const RunHeader& header,
    const SessionOptions& options) {
  const PlaceOfId places = PlacesOf(cases);
  std::vector<std::optional<CaseRecord>> records(cases.size());
  if (!options.resume) return records;
  if (!std::filesystem::exists(options.journal)) {
    throw InputError(options.journal.string(), "no such journal to resume",
                     "the journal of an earlier run");
  }
  if (HasNoWholeLine(options.journal)) return records;
  const Journal old = ReadJournal(options.journal);
  CheckSameRun(*old.header, header, options.journal.string());
  for (const CaseRecord& record : old.cases) {
    const auto place = places.find(record.id);
    if (place != places.end() && !records[place->second]) records[place->second] = record;
  }
  return records;
}

void Shuffle(std::vector<size_t>& order, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
}

}  // namespace

SessionResult RunSession(const std::vector<CaseSource>& cases, const Subject& subject,
                         const SessionOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  SessionResult result;
  result.header = HeaderOf(cases.size(), subject, options);
  std::vector<std::optional<CaseRecord>> records =
      RecordsOfJournal(cases, result.header, options);
  std::vector<size_t> order;
  for (size_t i = 0; i < cases.size(); ++i)
    if (!records[i]) order.push_back(i);
  size_t done = cases.size() - order.size();
  result.resumed = done;
  if (options.seed) Shuffle(order, *options.seed);

  std::optional<JournalWriter> journal;
  if (!options.journal.empty()) {
    const bool go_on = options.resume && !HasNoWholeLine(options.journal);
    journal.emplace(options.journal,
                    go_on ? JournalWriter::Mode::kResume : JournalWriter::Mode::kNew);
    if (!go_on) journal->Write(result.header);
  }
  RunCases(cases, order, subject, options, [&](size_t place, CaseRecord record) {
    if (options.known != nullptr)
      ApplyKnown(*options.known, result.header.machine, options.today, record);
    if (journal) journal->Write(record);
    if (options.on_record) options.on_record(record, ++done, cases.size());
    records[place] = std::move(record);
  });

  for (std::optional<CaseRecord>& record : records) {
    if (!record) {
      result.interrupted = true;
      continue;
    }
    result.summary.Add(*record);
    result.records.push_back(std::move(*record));
  }
  result.footer =
      result.summary.Footer(static_cast<int64_t>(cases.size()), !result.interrupted);
  result.footer.missing = options.missing;
  AddCoverage(subject.config, result.records, result.footer);
  result.footer.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (journal) journal->Write(result.footer);
  return result;
}

}  // namespace qconform
