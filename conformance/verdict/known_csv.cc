// The file of known failures, read.
#include <algorithm>
#include <array>
#include <regex>

#include "conformance/verdict/known_failures.h"
#include "datasets/csv.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

using Reader =
    io::CSVReader<8, io::trim_chars<' ', '\t', '\r'>, io::double_quote_escape<',', '"'>,
                  io::throw_on_overflow, io::single_line_comment<'#'>>;

constexpr std::array<const char*, 8> kColumns = {"id",    "verdict", "where", "reason",
                                                 "issue", "owner",   "since", "expires"};
constexpr std::array<const char*, 5> kFacts = {"isa", "cpu", "features", "architecture",
                                               "kernel"};

std::vector<std::pair<std::string, std::string>> ParseWhere(const std::string& text,
                                                            const std::string& where) {
  std::vector<std::pair<std::string, std::string>> conditions;
  if (text == "any") return conditions;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(';', begin), text.size());
    const std::string condition = text.substr(begin, end - begin);
    const size_t equals = condition.find('=');
    const std::string key = condition.substr(0, equals);
    if (equals == std::string::npos || equals + 1 == condition.size() ||
        std::find(kFacts.begin(), kFacts.end(), key) == kFacts.end()) {
      throw InputError(where, "where '" + condition + "'",
                       "any, or isa, cpu, features, architecture or kernel = a value");
    }
    conditions.emplace_back(key, condition.substr(equals + 1));
    begin = end + 1;
  }
  return conditions;
}

Verdict ParseListed(const std::string& text, const std::string& where) {
  const auto verdict = ParseVerdict(text);
  CaseRecord record;
  record.row = "declared";
  if (verdict) record.verdict = *verdict;
  const bool derived =
      verdict == Verdict::kUnexpectedPass || verdict == Verdict::kExpired;
  if (!verdict || !IsFailed(record) || derived)
    throw InputError(where, "verdict '" + text + "'", "one that fails, like FAIL");
  return *verdict;
}

void CheckDate(const std::string& text, const std::string& where) {
  static const std::regex date("[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])");
  if (!std::regex_match(text, date))
    throw InputError(where, "expires '" + text + "'", "a day like 2027-02-01");
}

}  // namespace

KnownFailures ReadKnownFailures(const std::filesystem::path& file) {
  const std::string name = file.string();
  if (!std::filesystem::is_regular_file(file))
    throw InputError(name, "no such file", "known failures in CSV");
  KnownFailures known{name, {}};
  try {
    Reader reader(name);
    reader.read_header(io::ignore_no_column, "id", "verdict", "where", "reason", "issue",
                       "owner", "since", "expires");
    std::array<std::string, 8> f;
    while (reader.read_row(f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7])) {
      const std::string where = name + ":" + std::to_string(reader.get_file_line());
      for (size_t i = 0; i < f.size(); ++i)
        if (f[i].empty())
          throw InputError(where, std::string(kColumns[i]) + " is missing",
                           "every field of an entry");
      KnownFailure entry;
      entry.id = f[0];
      entry.pattern = Filter(f[0]);
      entry.verdict = ParseListed(f[1], where);
      entry.where = ParseWhere(f[2], where);
      entry.reason = f[3];
      entry.issue = f[4];
      entry.owner = f[5];
      entry.since = f[6];
      entry.expires = f[7];
      CheckDate(entry.expires, where);
      entry.line = static_cast<int>(reader.get_file_line());
      known.entries.push_back(std::move(entry));
    }
  } catch (const io::error::base& error) {
    const auto* at = dynamic_cast<const io::error::with_file_line*>(&error);
    throw InputError(at == nullptr ? name : name + ":" + std::to_string(at->file_line),
                     error.what(), "known failures in CSV");
  }
  return known;
}

}  // namespace qconform
