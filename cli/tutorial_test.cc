// Runs every command of reference/tutorial/tutorial.md and compares what it prints with
// the page; holds the page's pieces of files, and the two forms of its config, equal.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "cli/test_text.h"
#include "reference/config/backend_config_json.h"
#include "reference/qconfig/qconfig_mapping_json.h"
#include "reference/tutorial/my_npu.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(QCONFORM_SOURCE_DIR) / "reference/tutorial";

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

struct Block {
  std::string language;
  int line = 0;  // of the page
  std::vector<std::string> lines;
};

std::vector<Block> BlocksOfPage() {
  std::vector<Block> blocks;
  bool inside = false;
  int number = 0;
  for (const std::string& line : LinesOf(ReadText(kFolder / "tutorial.md"))) {
    ++number;
    if (!line.starts_with("```")) {
      if (inside) blocks.back().lines.push_back(line);
      continue;
    }
    inside = !inside;
    if (inside) blocks.push_back({line.substr(3), number, {}});
  }
  return blocks;
}

// "..." stands for any text.
bool LineMatches(const std::string& got, const std::string& want) {
  const size_t hole = want.find("...");
  if (hole == std::string::npos) return got == want;
  if (!got.starts_with(want.substr(0, hole))) return false;
  const std::string rest = want.substr(hole + 3);
  for (size_t at = hole; at <= got.size(); ++at) {
    if (LineMatches(got.substr(at), rest)) return true;
  }
  return false;
}

// A line "..." stands for any number of lines.
bool OutputMatches(const std::vector<std::string>& got,
                   const std::vector<std::string>& want, size_t i = 0, size_t j = 0) {
  if (j == want.size()) return i == got.size();
  if (want[j] == "...") {
    for (size_t next = i; next <= got.size(); ++next) {
      if (OutputMatches(got, want, next, j + 1)) return true;
    }
    return false;
  }
  return i < got.size() && LineMatches(got[i], want[j]) &&
         OutputMatches(got, want, i + 1, j + 1);
}

TEST(Tutorial, EveryCommandPrintsWhatThePageSays) {
  const fs::path folder = ProcessFolder() / "tutorial";
  fs::remove_all(folder);
  fs::copy(kFolder, folder);
  fs::create_symlink(QCONFORM_SCALAR_BACKEND, folder / "libqconform_scalar.so");
  const std::string prefix =
      "cd " + folder.string() +
      " && PATH=" + fs::path(QCONFORM_BINARY).parent_path().string() + ":$PATH; ";
  int commands = 0;
  for (const Block& block : BlocksOfPage()) {
    if (block.language != "console") continue;
    for (size_t i = 0; i < block.lines.size();) {
      ASSERT_TRUE(block.lines[i].starts_with("$ ")) << "line " << block.line;
      const std::string command = block.lines[i++].substr(2);
      std::vector<std::string> want;
      while (i < block.lines.size() && !block.lines[i].starts_with("$ ")) {
        want.push_back(block.lines[i++]);
      }
      const ShellOutcome outcome = RunShell("{ " + prefix + command + "\n}");
      EXPECT_TRUE(OutputMatches(LinesOf(outcome.output), want))
          << "tutorial.md:" << block.line << ": " << command << "\nprinted\n"
          << outcome.output;
      ++commands;
    }
  }
  EXPECT_GE(commands, 10);
  fs::remove_all(folder);
}

TEST(Tutorial, ItsPiecesStandInItsFiles) {
  std::string json =
      ReadText(kFolder / "my_npu.json") + ReadText(kFolder / "mapping.json");
  const std::string cpp = ReadText(kFolder / "my_npu.cc");
  int pieces = 0;
  for (const Block& block : BlocksOfPage()) {
    if (block.language == "console") continue;
    std::string text;
    for (const std::string& line : block.lines) text += line + "\n";
    const std::string& file = block.language == "cpp" ? cpp : json;
    EXPECT_NE(file.find(text), std::string::npos) << "tutorial.md:" << block.line;
    ++pieces;
  }
  EXPECT_GE(pieces, 8);
}

TEST(Tutorial, JsonAndCppAreOneConfig) {
  const JsonFile config = JsonFile::Read(kFolder / "my_npu.json");
  EXPECT_EQ(BackendConfigToJson(my_npu::MyNpuConfig()).dump(1),
            BackendConfigToJson(BackendConfigFromJson(config.root(), config)).dump(1));
  const JsonFile mapping = JsonFile::Read(kFolder / "mapping.json");
  EXPECT_EQ(
      QConfigMappingToJson(my_npu::MyNpuMapping()).dump(1),
      QConfigMappingToJson(QConfigMappingFromJson(mapping.root(), mapping)).dump(1));
}

TEST(Tutorial, TheComparisonCanFail) {
  EXPECT_TRUE(LineMatches("a 12 b", "a ... b"));
  EXPECT_FALSE(LineMatches("a 12 c", "a ... b"));
  EXPECT_FALSE(LineMatches("a b", "a b c"));
  EXPECT_TRUE(OutputMatches({"1", "2", "3"}, {"1", "..."}));
  EXPECT_FALSE(OutputMatches({"1", "2"}, {"...", "3"}));
  EXPECT_FALSE(OutputMatches({"1", "2"}, {"1"}));
}

}  // namespace
}  // namespace qconform
