#include "conformance/cases/suite_cases.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/cases/build_call.h"
#include "conformance/cases/memory_need.h"
#include "reference/ir/error.h"

namespace qconform {

namespace fs = std::filesystem;

namespace {

// Nobody was asked: neither right nor wrong.
CaseRecord NotRun(const SuiteRow& row, const std::string& why, const Subject& subject) {
  CaseRecord record;
  record.id = IdOf(row);
  record.suite = row.suite;
  record.group = GroupOf(row);
  record.fill = FillName(row.fill);
  record.backend = subject.identity;
  record.verdict = Verdict::kRefused;
  record.phase = "build";
  record.reason = why;
  return record;
}

// From here on it is worth a look whether the memory is there.
constexpr uint64_t kLarge = uint64_t{1} << 30;

CaseRecord RunRow(const SuiteRow& row, const Subject& subject) {
  const MemoryNeed need = MemoryNeedOf(row);
  std::string objection;
  if (need.worker_bytes > kLarge)
    objection = MemoryObjection(need, subject.worker.MemoryLimit(), AvailableMemory());
  return objection.empty() ? RunOperatorCase(BuildCase(row), subject)
                           : NotRun(row, objection, subject);
}

}  // namespace

std::vector<CaseSource> SuiteCases(const std::vector<SuiteRow>& rows) {
  std::vector<CaseSource> sources;
  for (const SuiteRow& row : rows) {
    sources.push_back({IdOf(row), GroupOf(row),
                       [row](const Subject& subject) { return RunRow(row, subject); },
                       // Above, one alone may take all the memory there is.
                       Contains(Tier::kCi, row.tier)});
  }
  return sources;
}

std::vector<std::string> SuiteNames(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing))
    if (entry.path().extension() == ".csv") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

fs::path SuiteFile(const std::string& name_or_file, const fs::path& folder) {
  if (fs::is_regular_file(name_or_file)) return name_or_file;
  const fs::path named = folder / (name_or_file + ".csv");
  if (fs::is_regular_file(named)) return named;
  const std::vector<std::string> names = SuiteNames(folder);
  throw InputError(name_or_file, "no such suite",
                   names.empty()
                       ? "a CSV file, as no suites stand in " + folder.string()
                       : fmt::format("a CSV file or one of: {}", fmt::join(names, ", ")));
}

}  // namespace qconform
