// `qconform diff` as a user meets it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "cli/shell_outcome.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

const std::string kDatasets = QCONFORM_SOURCE_DIR "/datasets/";  // NOLINT

ShellOutcome Diff(const std::string& arguments) {
  return RunShell(std::string(QCONFORM_BINARY) + " diff " + arguments);
}

std::string Write(const std::string& name, const std::string& text) {
  const std::string file = testing::TempDir() + "/diff_" + name;
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

std::string ReadText(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(DiffVerb, ConfigsByNameFileAndTorchsOwnDump) {
  // A dump of torch's to_dict is our built-in config.
  const ShellOutcome same = Diff("x86 " + kDatasets + "oracle/backend_configs/x86.json");
  EXPECT_EQ(same.exit_code, 0) << same.output;
  EXPECT_EQ(same.output, "");
  const ShellOutcome other = Diff("x86 qnnpack");
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_NE(other.output.find("< name x86\n> name qnnpack\n"), std::string::npos);
  EXPECT_EQ(other.LastLine().rfind("config  ", 0), 0u) << other.LastLine();
}

TEST(DiffVerb, Graphs) {
  const std::string graph = kDatasets + "models/digits/float.graph.json";
  EXPECT_EQ(Diff(graph + " " + graph).exit_code, 0);
  const std::string copy = testing::TempDir() + "/diff_model";
  fs::remove_all(copy);
  fs::copy(kDatasets + "models/digits", copy);
  std::string text = ReadText(graph);
  const std::string from = "torch.nn.MaxPool2d";
  const size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos);
  std::ofstream(copy + "/float.graph.json", std::ios::binary)
      << text.replace(at, from.size(), "torch.nn.AvgPool2d");
  const ShellOutcome outcome = Diff(graph + " " + copy + "/float.graph.json");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  EXPECT_EQ(outcome.output.rfind("first difference: node '", 0), 0u) << outcome.output;
  EXPECT_NE(outcome.output.find("\n< "), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("\n> "), std::string::npos) << outcome.output;
  fs::remove_all(copy);
}

TEST(DiffVerb, Goldens) {
  const std::string x86 = kDatasets + "goldens/digits/x86";
  const ShellOutcome same = Diff(x86 + " " + x86);
  EXPECT_EQ(same.exit_code, 0) << same.output;
  EXPECT_EQ(same.output, "");
  const ShellOutcome other = Diff(x86 + " " + kDatasets + "goldens/digits/qnnpack");
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_NE(other.output.find("values  "), std::string::npos) << other.output;
}

TEST(DiffVerb, Runs) {
  const std::string header =
      R"({"record": "header", "suite": "s", "suite_digest": "1", "backend": {"name": "npu"}})";
  const auto line = [](const char* id, const char* verdict) {
    return std::string("\n{\"record\": \"case\", \"suite\": \"s\", \"id\": \"") + id +
           "\", \"verdict\": \"" + verdict + "\"}";
  };
  const std::string before =
      Write("a.jsonl",
            header + line("a", "PASS") + line("b", "FAIL") + line("c", "PASS") + "\n");
  const std::string after =
      Write("b.jsonl",
            header + line("a", "FAIL") + line("b", "PASS") + line("d", "PASS") + "\n");
  EXPECT_EQ(Diff(before + " " + before).exit_code, 0);
  const ShellOutcome outcome = Diff(before + " " + after);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  EXPECT_NE(outcome.output.find("newly failing a  PASS -> FAIL"), std::string::npos)
      << outcome.output;
  EXPECT_EQ(outcome.LastLine(), "cases  1 newly failing, 1 newly passing, 1 gone, 1 new");
}

TEST(DiffVerb, BadInputIsOneLineAndExitCode4) {
  const std::string graph = kDatasets + "models/digits/float.graph.json";
  for (const std::string& arguments :
       {std::string("x86"), std::string("x86 nowhere"), "x86 " + graph,
        graph + " " + kDatasets + "goldens/digits/x86", "x86 " + kDatasets,
        "x86 " + Write("cut.json", R"({"configs": [)"),
        "x86 " + Write("bad.json", R"({"configs": [{"pattern": 3}]})"),
        Write("empty.json", "{}") + " x86",
        Write("empty.jsonl", "") + " " + Write("empty2.jsonl", "")}) {
    const ShellOutcome outcome = Diff(arguments);
    EXPECT_EQ(outcome.exit_code, 4) << arguments << "\n" << outcome.output;
    EXPECT_EQ(outcome.Lines(), 1) << arguments << "\n" << outcome.output;
  }
}

}  // namespace
}  // namespace qconform
