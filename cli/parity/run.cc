#include "cli/parity/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>

#include "cli/exit_code.h"
#include "cli/parity/parts.h"
#include "reference/formats/json_file.h"
#include "reference/ir/error.h"

namespace qconform::parity {
namespace {

namespace fs = std::filesystem;

// The record files of one part.
struct PartFiles {
  std::string part;
  std::vector<fs::path> files;
};

std::vector<fs::path> JsonFilesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// The part that a file belongs to: by its folder's name, its own, or the kind that it
// names. Empty for files that are no records, or cannot be read.
std::string PartOf(const fs::path& file) {
  const std::string name = file.stem();
  const std::string parent = fs::absolute(file).parent_path().filename();
  for (const std::string& part : PartNames()) {
    if (parent == part) return part;
  }
  for (const std::string& part : PartNames()) {
    if (name == part) return part;
  }
  JsonFile json = JsonFile::Parse("{}", "");
  try {
    json = JsonFile::Read(file);
  } catch (const InputError&) {
    return "";
  }
  const std::string kind = json.root().is_object() && json.root().contains("kind") &&
                                   json.root().at("kind").is_string()
                               ? json.root().at("kind").get<std::string>()
                               : "";
  if (kind == "fx_ptq" || kind == "fx_qat") return "fx";
  if (kind == "pt2e_ptq" || kind == "pt2e_qat") return "pt2e";
  return kind;
}

struct Found {
  std::vector<PartFiles> parts;
  // Files and folders of no part.
  std::vector<fs::path> unknown;
};

Found FindParts(const fs::path& where) {
  Found found;
  std::vector<fs::path> files;
  if (fs::is_directory(where)) {
    files = JsonFilesIn(where);
    for (const auto& entry : fs::directory_iterator(where)) {
      if (!entry.is_directory()) continue;
      const std::vector<fs::path> inside = JsonFilesIn(entry.path());
      const std::vector<std::string>& names = PartNames();
      if (std::count(names.begin(), names.end(), entry.path().filename()) != 0) {
        files.insert(files.end(), inside.begin(), inside.end());
      } else if (!inside.empty()) {
        found.unknown.push_back(entry.path());
      }
    }
    std::sort(found.unknown.begin(), found.unknown.end());
  } else if (fs::exists(where)) {
    files = {where};
  } else {
    throw InputError(where.string(), "no such file or folder",
                     "a folder of oracle records");
  }
  for (const std::string& part : PartNames()) found.parts.push_back({part, {}});
  for (const fs::path& file : files) {
    if (file.stem() == "README") continue;
    const std::string name = PartOf(file);
    bool is_known = false;
    for (PartFiles& part : found.parts) {
      if (part.part != name) continue;
      part.files.push_back(file);
      is_known = true;
    }
    if (!is_known) found.unknown.push_back(file);
  }
  std::erase_if(found.parts, [](const PartFiles& part) { return part.files.empty(); });
  return found;
}

// "a, b, c and 4 more".
std::string FirstOf(const std::vector<std::string>& names) {
  constexpr size_t kNamed = 3;
  const size_t named = std::min(kNamed, names.size());
  std::string text =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + named, ", "));
  if (names.size() > named) text += fmt::format(" and {} more", names.size() - named);
  return text;
}

void Print(const PartReport& report, const ParityOptions& options, std::ostream& out) {
  out << fmt::format("{}: {} of {} equal\n", report.name, report.CountEqual(),
                     report.records.size());
  for (const auto& [stage, count] : report.CountStages()) {
    out << fmt::format("  {}: {} of {}\n", stage, count.equal, count.compared);
  }
  for (const std::string& stage : report.not_compared) {
    out << fmt::format("  {}: not compared\n", stage);
  }
  for (const auto& [name, reason] : report.skipped) {
    out << fmt::format("  {}: not compared: {}\n", name, reason);
  }
  for (const auto& [stage, names] : report.MissingStages()) {
    out << fmt::format(
        "  {}: not compared in {} of {} records, which do not hold it: {}\n", stage,
        names.size(), report.records.size(), FirstOf(names));
  }
  for (const RecordReport& record : report.records) {
    if (record.first()) {
      const auto& [stage, difference] = *record.first();
      out << fmt::format("  differs: {}, {}, {}: got {}, want {}\n", record.name(), stage,
                         difference.where.empty() ? "whole" : difference.where,
                         difference.got, difference.want);
    } else if (record.stages().empty()) {
      out << fmt::format("  differs: {}: the record holds nothing that is compared\n",
                         record.name());
    }
    if (!options.notes) continue;
    for (const std::string& note : record.notes()) {
      out << fmt::format("  note: {}, {}\n", record.name(), note);
    }
  }
}

// A table file that cannot be read is a difference; the other parts are compared.
PartReport RunPart(const PartFiles& files, PartRunner run, const std::string& filter) {
  PartReport report;
  RecordReport unread = ReadRecord(files.part, [&] {
    report = run(files.files, filter);
    return RecordReport(files.part);
  });
  if (!unread.stages().empty()) {
    report.name = files.part;
    report.records = {std::move(unread)};
  }
  return report;
}

}  // namespace

int RunParity(const fs::path& folder, const ParityOptions& options, std::ostream& out) {
  bool compared = false;
  bool equal = true;
  const Found found = FindParts(folder);
  for (const PartFiles& part : found.parts) {
    if (!options.parts.empty() &&
        std::count(options.parts.begin(), options.parts.end(), part.part) == 0) {
      continue;
    }
    const PartRunner runner = FindPartRunner(part.part);
    if (runner == nullptr) {
      out << part.part << ": not compared\n";
      continue;
    }
    PartReport report = RunPart(part, runner, options.filter);
    if (report.records.empty() && report.skipped.empty()) {
      // A filter may leave nothing of a part; a file without records is a mistake.
      if (!options.filter.empty()) continue;
      report.name = part.part;
      report.records.emplace_back(part.part);
    }
    compared = compared || !report.records.empty();
    equal = equal && report.CountEqual() == static_cast<int>(report.records.size());
    Print(report, options, out);
    out.flush();
  }
  for (const fs::path& path : found.unknown) {
    out << fmt::format("{}: not compared: no part of that name or kind\n",
                       path.filename().string());
  }
  if (!compared) return kExitNothingSelected;
  return equal ? kExitAsExpected : kExitCaseFailed;
}

}  // namespace qconform::parity
