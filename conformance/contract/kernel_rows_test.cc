// kernels/rows.csv, which says of every row of the x86 and the qnnpack config what
// computes it, against these configs and against what the kernels declare.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "conformance/cases/declared_row.h"
#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/json_file.h"

namespace qconform {
namespace {

const std::filesystem::path kKernels = QCONFORM_SOURCE_DIR "/kernels";

struct Row {
  std::string family;  // empty: no kernel
  std::string remark;
};

// By name; throws std::runtime_error for a line that is none or stands there twice.
std::map<std::string, Row> Table() {
  std::ifstream file(kKernels / "rows.csv");
  std::map<std::string, Row> table;
  bool header = true;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    const size_t first = line.find(',');
    const size_t second = line.find(',', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      throw std::runtime_error("not three columns: " + line);
    const Row row{line.substr(first + 1, second - first - 1), line.substr(second + 1)};
    if (!std::exchange(header, false) &&
        !table.emplace(line.substr(0, first), row).second)
      throw std::runtime_error("twice: " + line);
  }
  return table;
}

// Atoms in the order in which they run, "torch.nn.Conv2d + torch.nn.ReLU".
std::string NameOf(const BackendConfig::Entry& entry) {
  const Pattern& pattern = PatternOf(entry);
  if (!pattern.IsTuple()) return pattern.name();
  std::string name;
  for (const Pattern& item : pattern.items())
    name += (name.empty() ? "" : " + ") + item.name();
  return name;
}

std::vector<const BackendConfig::Entry*> Asked() {
  std::vector<const BackendConfig::Entry*> entries;
  for (const char* name : {"x86", "qnnpack"})
    for (const BackendConfig::Entry& entry : BuiltInBackendConfig(name).entries())
      entries.push_back(&entry);
  return entries;
}

const BackendConfig& Declared() {
  static const BackendConfig config = [] {
    const JsonFile file = JsonFile::Read(kKernels / "backend/config.json");
    return BackendConfigFromJson(file.root(), file);
  }();
  return config;
}

bool DeclaresOperator(const std::string& name) {
  const auto& entries = Declared().entries();
  return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
    return OperatorOfPattern(PatternOf(entry)) == name;
  });
}

// Of operators without weights the dtypes of weight and bias mean nothing.
bool HasWeight(const std::string& operator_name) {
  for (const char* weighted : {"conv", "linear", "embedding", "lstm", "gru"})
    if (operator_name.starts_with(weighted)) return true;
  return false;
}

bool Covers(const DTypeConfig& declared, const DTypeConfig& asked, bool weight) {
  return declared.input_dtype.dtype == asked.input_dtype.dtype &&
         declared.output_dtype.dtype == asked.output_dtype.dtype &&
         declared.IsDynamic() == asked.IsDynamic() &&
         (!weight || declared.weight_dtype.dtype == asked.weight_dtype.dtype) &&
         (!weight || !declared.bias_dtype || declared.bias_dtype == asked.bias_dtype);
}

bool DeclaresDTypes(const std::string& name, const DTypeConfig& asked) {
  for (const BackendConfig::Entry& entry : Declared().entries()) {
    if (OperatorOfPattern(PatternOf(entry)) != name) continue;
    for (const DTypeConfig& declared : entry.config.dtype_configs)
      if (Covers(declared, asked, HasWeight(name))) return true;
  }
  return false;
}

TEST(KernelRows, AreThoseOfTheConfigs) {
  std::set<std::string> named, asked;
  for (const auto& [name, row] : Table()) named.insert(name);
  for (const BackendConfig::Entry* entry : Asked()) asked.insert(NameOf(*entry));
  EXPECT_EQ(named, asked);
}

TEST(KernelRows, NameAFolderOrSayWhyNot) {
  for (const auto& [name, row] : Table()) {
    if (row.family.empty()) {
      EXPECT_NE(row.remark, "") << name;
    } else {
      EXPECT_TRUE(std::filesystem::exists(kKernels / row.family / "family.cc")) << name;
    }
  }
}

// 16-bit floating point is nobody's kernel.
TEST(KernelRows, OfFamiliesAreDeclaredWithEveryDTypeThatIsAsked) {
  const std::map<std::string, Row> table = Table();
  std::map<std::string, std::string> family_of;  // operator -> family
  for (const BackendConfig::Entry* entry : Asked()) {
    const auto found = table.find(NameOf(*entry));
    ASSERT_NE(found, table.end()) << NameOf(*entry);
    const auto& [name, row] = *found;
    const std::string computes = OperatorOfPattern(PatternOf(*entry));
    if (computes.empty()) continue;
    EXPECT_EQ(family_of.emplace(computes, row.family).first->second, row.family) << name;
    EXPECT_EQ(DeclaresOperator(computes), !row.family.empty()) << name;
    if (row.family.empty()) continue;
    for (const DTypeConfig& asked : entry->config.dtype_configs) {
      if (asked.weight_dtype.dtype == DType::kFloat16) continue;
      EXPECT_TRUE(DeclaresDTypes(computes, asked)) << name;
    }
  }
}

TEST(KernelRows, WithoutAKernelStandInTheReadme) {
  std::ifstream file(kKernels / "README.md");
  const std::string readme{std::istreambuf_iterator<char>(file), {}};
  for (const auto& [name, row] : Table()) {
    if (!row.family.empty()) continue;
    EXPECT_NE(readme.find('`' + name + '`'), readme.npos) << name;
  }
}

}  // namespace
}  // namespace qconform
