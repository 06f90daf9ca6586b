#include "bench/compare/benchmark_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "reference/ir/error.h"

namespace qconform::bench {
namespace {

using nlohmann::json;

// Google Benchmark writes counters that are no number as NaN and Infinity, which are no
// JSON: null, outside of strings. Lines stay where they are.
std::string WithoutNonFinite(std::string_view text) {
  std::string plain;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\' && i + 1 < text.size()) {
      plain.append(text.substr(i++, 2));
      continue;
    }
    if (c == '"') in_string = !in_string;
    size_t length = 0;
    if (!in_string) {
      for (const std::string_view word : {"-NaN", "NaN", "-Infinity", "Infinity"})
        if (length == 0 && text.substr(i).starts_with(word)) length = word.size();
    }
    if (length == 0) {
      plain += c;
    } else {
      plain += "null";
      i += length - 1;
    }
  }
  return plain;
}

json ParseText(std::string_view text, const std::string& name) {
  const std::string plain = WithoutNonFinite(text);
  try {
    return json::parse(plain);
  } catch (const json::parse_error& error) {
    const auto end =
        plain.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, plain.size()));
    throw InputError(
        name + ":" + std::to_string(1 + std::count(plain.begin(), end, '\n')), "no JSON",
        "a JSON file of Google Benchmark");
  } catch (const json::out_of_range&) {
    // Of this one nlohmann does not say where.
    throw InputError(name, "a number too large for 64 bits", "numbers of a double");
  }
}

std::optional<std::string> TextOf(const json& row, const char* key) {
  const auto member = row.find(key);
  if (member == row.end() || !member->is_string()) return std::nullopt;
  return member->get<std::string>();
}

bool IsTrue(const json& row, const char* key) {
  const auto member = row.find(key);
  return member != row.end() && member->is_boolean() && member->get<bool>();
}

// Rows have had a run_type since version 1.5; before, the name told.
bool IsAggregate(const json& row, const std::set<std::string>& names) {
  if (const auto type = TextOf(row, "run_type")) return *type == "aggregate";
  const std::string name = *TextOf(row, "name");
  static constexpr std::array<std::string_view, 6> kEnds = {"_mean", "_median", "_stddev",
                                                            "_cv",   "_BigO",   "_RMS"};
  return std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) {
    return name.ends_with(end) &&
           names.contains(name.substr(0, name.size() - end.size()));
  });
}

double NanosecondsPerUnit(const json& row, const std::string& where) {
  if (!row.contains("time_unit")) return 1;
  const std::string unit = TextOf(row, "time_unit").value_or("");
  if (unit == "ns") return 1;
  if (unit == "us") return 1e3;
  if (unit == "ms") return 1e6;
  if (unit == "s") return 1e9;
  throw InputError(where, "time_unit is " + row["time_unit"].dump(), "ns, us, ms or s");
}

double TimeOf(const json& row, TimeField field, const std::string& where) {
  const char* key = field == TimeField::kReal ? "real_time" : "cpu_time";
  const double unit = NanosecondsPerUnit(row, where);
  const auto member = row.find(key);
  if (member == row.end() || !member->is_number()) {
    throw InputError(
        where,
        std::string(key) + " is " + (member == row.end() ? "missing" : member->dump()),
        "a number above 0");
  }
  const double time = member->get<double>() * unit;
  if (!(time > 0) || !std::isfinite(time)) {
    throw InputError(where, std::string(key) + " is " + member->dump(),
                     "a number above 0");
  }
  return time;
}

void AddRow(const json& row, TimeField field, const std::string& where,
            SampleFile& file) {
  const std::string name = TextOf(row, "run_name").value_or(*TextOf(row, "name"));
  BenchmarkSamples& samples = file.benchmarks[name];
  std::string error;
  if (IsTrue(row, "error_occurred"))
    error = TextOf(row, "error_message").value_or("an error without a message");
  if (IsTrue(row, "skipped"))
    error = "skipped: " + TextOf(row, "skip_message").value_or("no reason given");
  if (!error.empty()) {
    if (samples.error.empty()) samples.error = error;
    return;
  }
  samples.nanoseconds.push_back(TimeOf(row, field, where));
}

}  // namespace

SampleFile ParseSamples(std::string_view text, const std::string& name, TimeField field) {
  const json root = ParseText(text, name);
  const auto rows = root.is_object() ? root.find("benchmarks") : root.end();
  if (!root.is_object() || rows == root.end() || !rows->is_array() || rows->empty())
    throw InputError(name, "no benchmarks in it",
                     "a JSON file of Google Benchmark, with a list 'benchmarks'");
  const auto where = [&](size_t i) { return fmt::format("{}: benchmarks[{}]", name, i); };
  std::set<std::string> names;
  for (size_t i = 0; i < rows->size(); ++i) {
    const json& row = (*rows)[i];
    const auto row_name = row.is_object() ? TextOf(row, "name") : std::nullopt;
    if (!row_name) throw InputError(where(i), "no name", "an object with a 'name'");
    names.insert(*row_name);
  }
  SampleFile file;
  for (size_t i = 0; i < rows->size(); ++i)
    if (!IsAggregate((*rows)[i], names)) AddRow((*rows)[i], field, where(i), file);
  if (file.benchmarks.empty())
    throw InputError(name, "aggregates only",
                     "a row for each repetition: "
                     "--benchmark_report_aggregates_only=false");
  const auto context = root.find("context");
  if (context != root.end() && context->is_object()) {
    for (const auto& [key, value] : context->items())
      if (!value.is_structured())
        file.context[key] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return file;
}

SampleFile ReadSampleFile(const std::filesystem::path& path, TimeField field) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (std::filesystem::is_directory(path) || !stream || !(text << stream.rdbuf()))
    throw InputError(path.string(), "cannot be read", "a JSON file of Google Benchmark");
  return ParseSamples(text.str(), path.string(), field);
}

}  // namespace qconform::bench
