// A backend in one C file, from nothing to its verdicts: the commands of the README,
// word for word, with an installed package that was moved. What they print has the shape
// that the README shows: numbers and digests may differ.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "cli/test_text.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

struct Command {
  std::string line;
  std::vector<std::string> output;
};

constexpr const char* kHeading = "## A backend of your own";
constexpr const char* kInstall = "cmake --install build/release ";
constexpr const char* kEnd = "== ends with ";

// The indented lines below the heading: "$ command", and what it prints.
std::vector<Command> CommandsOfReadme() {
  std::istringstream text(ReadText(QCONFORM_SOURCE_DIR "/README.md"));
  std::vector<Command> commands;
  bool here = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("## ")) here = line == kHeading;
    if (!here || !line.starts_with("    ")) continue;
    if (line.starts_with("    $ ")) {
      commands.push_back({line.substr(6), {}});
    } else if (!commands.empty()) {
      commands.back().output.push_back(line.substr(4));
    }
  }
  return commands;
}

// One shell runs them all, as a person's would. The package moves once it is installed.
std::string ScriptOf(const std::vector<Command>& commands) {
  std::string script = "cd " QCONFORM_SOURCE_DIR "\n";
  for (const Command& command : commands) {
    std::string line = command.line;
    if (line.starts_with(kInstall)) {
      line = QCONFORM_CMAKE " --install " QCONFORM_BINARY_DIR " " +
             line.substr(std::string(kInstall).size());
      script +=
          line + "\nmkdir $HOME/moved; mv $HOME/qconform $HOME/moved; HOME=$HOME/moved\n";
    } else {
      script += line + "\n";
    }
    script += std::string("echo '") + kEnd + "'$?\n";
  }
  return script;
}

std::string Shape(const std::string& line) {
  static const std::regex digest("[0-9a-f]{12}");
  static const std::regex number("[0-9]+");
  static const std::regex blanks(" +");
  std::string shape = std::regex_replace(line, digest, "DIGEST");
  shape = std::regex_replace(shape, number, "N");
  return std::regex_replace(shape, blanks, " ");
}

// "..." stands for any number of lines.
bool Matches(const std::vector<std::string>& want, size_t w,
             const std::vector<std::string>& got, size_t g) {
  if (w == want.size()) return g == got.size();
  if (want[w] == "...") {
    for (size_t next = g; next <= got.size(); ++next)
      if (Matches(want, w + 1, got, next)) return true;
    return false;
  }
  return g < got.size() && Shape(want[w]) == Shape(got[g]) &&
         Matches(want, w + 1, got, g + 1);
}

class FirstBackend : public FolderTest {};

TEST_F(FirstBackend, GoesFromNothingToItsVerdictsAsTheReadmeSays) {
  const std::vector<Command> commands = CommandsOfReadme();
  ASSERT_GE(commands.size(), 6u) << "no commands below '" << kHeading << "'";
  const std::string script = Written("commands.sh", ScriptOf(commands));
  // Nothing but what a login shell has.
  const ShellOutcome outcome =
      RunShell("env -i HOME=" + folder_.string() +
               " PATH=/usr/local/bin:/usr/bin:/bin sh " + script);
  std::istringstream text(outcome.output);
  std::string line;
  for (const Command& command : commands) {
    std::vector<std::string> output;
    while (std::getline(text, line) && !line.starts_with(kEnd)) output.push_back(line);
    EXPECT_EQ(line, kEnd + std::string("0")) << command.line;
    if (command.line.starts_with(kInstall)) continue;
    EXPECT_TRUE(Matches(command.output, 0, output, 0))
        << command.line << " printed\n"
        << testing::PrintToString(output) << "\nand the README shows\n"
        << testing::PrintToString(command.output);
  }
  const std::regex verdicts("[1-9][0-9]* passed, 0 failed, [0-9]+ skipped");
  EXPECT_TRUE(std::regex_match(commands.back().output.back(), verdicts));

  // Its data lie in the package and nowhere else.
  const fs::path moved = folder_ / "moved" / "qconform";
  fs::remove_all(moved / "share" / "qconform" / "suites");
  const ShellOutcome without =
      RunShell((moved / "bin" / "qconform").string() + " list --suite linear");
  EXPECT_EQ(without.exit_code, 4) << without.output;
  EXPECT_NE(without.output.find("no such suite"), std::string::npos) << without.output;
}

}  // namespace
}  // namespace qconform
