// reports/torch_pipeline.md and the classes of what torch disagrees in belong together:
// no disagreement without a class, and no class without a disagreement.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/contract/contract_case.h"
#include "reference/backends/backends.h"

namespace qconform {
namespace {

using Fields = std::vector<std::string>;

std::vector<std::string> LinesOf(const std::string& file) {
  std::ifstream stream(std::string(QCONFORM_SOURCE_DIR) + "/" + file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

// Commas inside quotes part nothing.
Fields FieldsOfCsv(const std::string& line) {
  Fields fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

// "| a | b |" -> a, b
Fields FieldsOfTable(const std::string& line) {
  Fields fields;
  size_t at = 2;
  for (size_t end = line.find(" |", at); end != std::string::npos;
       end = line.find(" |", at)) {
    fields.push_back(end < at ? "" : line.substr(at, end - at));
    at = end + 3;
  }
  return fields;
}

std::string Joined(const Fields& fields) {
  std::string text;
  for (const std::string& field : fields) text += field + " | ";
  return text;
}

std::vector<Fields> Rows() {
  std::vector<Fields> rows;
  const std::vector<std::string> lines =
      LinesOf("conformance/adapters/torch/disagreements.csv");
  EXPECT_FALSE(lines.empty());
  if (lines.empty()) return rows;
  EXPECT_EQ(lines[0], "id,mode,cause,detail,class,number,reason");
  for (size_t i = 1; i < lines.size(); ++i) rows.push_back(FieldsOfCsv(lines[i]));
  return rows;
}

TEST(TorchDisagreements, EveryRowSaysItsClassAndWhy) {
  for (const Fields& row : Rows()) {
    ASSERT_EQ(row.size(), 7U) << row[0];
    EXPECT_NE(row[0].find("/contract/"), std::string::npos) << row[0];
    EXPECT_TRUE(std::set<std::string>({"", "torch", "strict"}).contains(row[1]))
        << row[0];
    // What was ours is fixed.
    EXPECT_TRUE(row[4] == "torch" || row[4] == "definition") << row[0];
    EXPECT_TRUE(row[5].empty() || row[5].starts_with("QB")) << row[5];
    EXPECT_GT(row[6].size(), 20U) << row[0] << " has no reason";
  }
}

TEST(TorchDisagreements, TheReportIsOfTheseRowsAndLeavesNothingUnclassed) {
  std::multiset<std::string> want;
  for (const Fields& row : Rows()) {
    const auto or_any = [&](size_t i) { return row[i].empty() ? "any" : row[i]; };
    want.insert(Joined({"`" + row[0] + "`", row[1].empty() ? "both" : row[1], or_any(2),
                        or_any(3), row[4], row[5], row[6]}));
  }
  std::multiset<std::string> got;
  std::map<std::string, int> configs;
  for (const std::string& line : LinesOf("reports/torch_pipeline.md")) {
    EXPECT_FALSE(line.starts_with("unclassed in ")) << line;
    EXPECT_FALSE(line.starts_with("unused: ")) << line;
    if (!line.starts_with("| ")) continue;
    const Fields fields = FieldsOfTable(line);
    if (fields.size() == 8 && fields[0].starts_with("`")) {
      got.insert(Joined(
          {fields[0], fields[1], fields[2], fields[3], fields[4], fields[6], fields[7]}));
      EXPECT_GT(std::stoi(fields[5]), 0) << "no disagreement is of " << fields[0];
    } else if (fields.size() == 7 && IsBuiltInBackend(fields[0])) {
      ++configs[fields[0]];
      EXPECT_EQ(std::stoi(fields[1]), std::stoi(fields[2]) + std::stoi(fields[3]) +
                                          std::stoi(fields[4]) + std::stoi(fields[5]))
          << line;
      EXPECT_EQ(ExpandContract(BuiltInBackendConfig(fields[0])).size(),
                std::stoul(fields[1]))
          << fields[0] << " has other cases now: report.py makes the report again";
      EXPECT_EQ(fields[4], "0") << "what is ours is fixed: " << line;
      EXPECT_EQ(fields[6], "0") << "unclassed: " << line;
    }
  }
  EXPECT_EQ(got, want);
  for (const auto& [name, tables] : configs) {
    EXPECT_EQ(tables, 2) << name << " in torch and in strict mode";
  }
}

TEST(TorchDisagreements, EveryBuiltInConfigWasAsked) {
  std::set<std::string> asked;
  for (const std::string& line : LinesOf("reports/torch_pipeline.md")) {
    const Fields fields = line.starts_with("| ") ? FieldsOfTable(line) : Fields();
    if (!fields.empty()) asked.insert(fields[0]);
  }
  for (const std::string& name : BuiltInBackendNames()) {
    EXPECT_TRUE(asked.contains(name))
        << name << ": conformance/adapters/torch/report.py makes the report again";
  }
}

}  // namespace
}  // namespace qconform
