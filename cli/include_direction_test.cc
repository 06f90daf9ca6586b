// Dependencies between rooms point one way. This test reads every include and
// fails on an arrow that points up, and on a file outside the rooms.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace qconform {
namespace {

namespace fs = std::filesystem;

// What each room may include, besides itself and the ABI header.
const std::map<std::string, std::set<std::string>>& Allowed() {
  static const auto* allowed = new std::map<std::string, std::set<std::string>>{
      {"reference", {}},
      {"kernels", {"reference/ir", "reference/numerics"}},
      {"datasets", {"reference/ir", "reference/formats"}},
      {"conformance", {"reference", "datasets"}},
      {"bench", {"reference", "datasets", "conformance/host"}},
      {"reports", {"conformance/verdict/record.h", "bench/record.h"}},
      {"cli", {"reference", "kernels", "datasets", "conformance", "bench", "reports"}},
  };
  return *allowed;
}

bool MayInclude(const std::string& room, bool is_test, const std::string& path) {
  if (path == "kernels/abi/qconform_backend.h") return true;
  if (path.starts_with(room + "/")) return true;
  if (is_test && path.starts_with("datasets/")) return true;
  for (const std::string& prefix : Allowed().at(room)) {
    if (path == prefix || path.starts_with(prefix + "/")) return true;
  }
  return false;
}

TEST(IncludeDirection, NoArrowPointsUp) {
  const std::regex include("^\\s*#\\s*include\\s+\"([^\"]+)\"");
  int files = 0;
  for (const auto& [room, prefixes] : Allowed()) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(QCONFORM_SOURCE_DIR) / room)) {
      const std::string extension = entry.path().extension();
      if (extension != ".h" && extension != ".cc" && extension != ".c" &&
          extension != ".inc" && extension != ".in") {
        continue;
      }
      // A project of its own, built against the installed headers.
      if (entry.path().parent_path().filename() == "example_project") continue;
      ++files;
      const bool is_test = entry.path().stem().string().ends_with("_test");
      std::ifstream stream(entry.path());
      std::string line;
      for (int number = 1; std::getline(stream, line); ++number) {
        std::smatch match;
        if (!std::regex_search(line, match, include)) continue;
        EXPECT_TRUE(MayInclude(room, is_test, match[1].str()))
            << entry.path() << ":" << number << ": " << room << " may not include "
            << match[1];
      }
    }
  }
  EXPECT_GT(files, 50) << "the rooms were not found";
}

// The rule itself must be able to say no.
TEST(IncludeDirection, RefusesWhatPointsUp) {
  EXPECT_FALSE(MayInclude("reference", false, "conformance/verdict/record.h"));
  EXPECT_FALSE(MayInclude("conformance", false, "kernels/target/cpu_features.h"));
  EXPECT_FALSE(MayInclude("reports", false, "conformance/verdict/summary.h"));
  EXPECT_FALSE(MayInclude("reference", false, "datasets/model.h"));
  EXPECT_TRUE(MayInclude("reference", true, "datasets/model.h"));
}

}  // namespace
}  // namespace qconform
