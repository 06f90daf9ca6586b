// `qconform diff` as a user meets it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "cli/test_text.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

const std::string kDatasets = QCONFORM_SOURCE_DIR "/datasets/";  // NOLINT

ShellOutcome Diff(const std::string& arguments) {
  return RunShell(std::string(QCONFORM_BINARY) + " diff " + arguments);
}

std::string Write(const std::string& name, const std::string& text) {
  const std::string file = ProcessFolder() / name;
  std::ofstream(file, std::ios::binary) << text;
  return file;
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
  const std::string copy = ProcessFolder() / "model";
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

// Structure needs no tensors: torchvision's networks are kept without.
TEST(DiffVerb, GraphsWithoutTensors) {
  const std::string vision = kDatasets + "vision/";
  const std::string graph = vision + "resnet18/float.graph.json";
  const ShellOutcome same = Diff(graph + " " + graph + " 2>/dev/null");
  EXPECT_EQ(same.exit_code, 0) << same.output;
  EXPECT_NE(Diff(graph + " " + graph).output.find("brings no tensors"),
            std::string::npos);
  const ShellOutcome other = Diff(graph + " " + vision + "resnet50/float.graph.json");
  EXPECT_EQ(other.exit_code, 1) << other.output;
  EXPECT_NE(other.output.find("first difference: "), std::string::npos) << other.output;
  // One with its tensors and one without: dtypes and shapes are compared, not values.
  const std::string full = kDatasets + "models/digits/float.graph.json";
  const std::string bare = Write("bare.graph.json", ReadText(full));
  const ShellOutcome shapes = Diff(full + " " + bare);
  EXPECT_EQ(shapes.exit_code, 0) << shapes.output;
  std::string text = ReadText(full);
  const std::string from = "\"shape\": [16, 1, 3, 3]";
  const size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, from.size(), "\"shape\": [16, 1, 9, 1]");
  EXPECT_EQ(Diff(full + " " + Write("bare.graph.json", text)).exit_code, 1);
}

// A graph whose tensors all stand in it lacks none.
TEST(DiffVerb, GraphsWithSmallTensors) {
  const auto graph = [](const char* data) {
    return std::string(
               R"({"graph": [{"name": "w", "op": "get_attr", "target": "w", "args": [],
        "kwargs": {}}, {"name": "output", "op": "output", "target": "output",
        "args": [{"n": "w"}], "kwargs": {}}],
        "attrs": {"w": {"dtype": "float32", "shape": [2], "b64": ")") +
           data + "\"}}}";
  };
  const std::string one = Write("one.graph.json", graph("AACAPwAAAEA="));
  const ShellOutcome same = Diff(one + " " + one);
  EXPECT_EQ(same.exit_code, 0) << same.output;
  EXPECT_EQ(same.output, "");
  EXPECT_EQ(Diff(one + " " + Write("two.graph.json", graph("AACAPwAAQEA="))).exit_code,
            1);
}

TEST(DiffVerb, PathsOfGraphsMayBeIgnored) {
  const std::string graph = kDatasets + "vision/resnet18/float.graph.json";
  std::string text = ReadText(graph);
  for (const std::string from : {"\"target\": \"fc\"", "\n  \"fc\": "}) {
    const size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.insert(at + from.find("fc"), "head_");
  }
  const std::string renamed = Write("renamed.graph.json", text);
  EXPECT_EQ(Diff(graph + " " + renamed).exit_code, 1);
  const ShellOutcome ignored = Diff("--ignore-paths " + graph + " " + renamed);
  EXPECT_EQ(ignored.exit_code, 0) << ignored.output;
  const ShellOutcome configs = Diff("--ignore-paths x86 qnnpack");
  EXPECT_EQ(configs.exit_code, 4);
  EXPECT_EQ(configs.Lines(), 1) << configs.output;
}

// A later release's dump: a key and a dtype that this one does not know.
TEST(DiffVerb, ConfigsThatDifferInWhatIsUnknown) {
  const auto config = [](const std::string& row, const std::string& side,
                         const std::string& file = "") {
    return "{\"name\": \"npu\", " + file +
           "\"configs\": [{\"pattern\": \"torch.nn.ReLU\", " + row +
           "\"observation_type\": \"OUTPUT_SHARE_OBSERVER_WITH_INPUT\", "
           "\"dtype_configs\": [{\"input_dtype\": " +
           side + "}]}]}";
  };
  const std::string quint8 = "{\"dtype\": \"torch.quint8\"}";
  const std::string plain = Write("plain.json", config("", quint8));
  const auto changes = [&](const std::string& other) {
    const ShellOutcome outcome = Diff(plain + " " + Write("other.json", other));
    EXPECT_EQ(outcome.exit_code, 1) << other << outcome.output;
    return outcome.output;
  };
  EXPECT_NE(changes(config("\"layout\": \"NHWC\", ", quint8))
                .find("<   layout none\n>   layout NHWC\n"),
            std::string::npos);
  EXPECT_NE(changes(config("\"flags\": {}, ", quint8)).find(">   flags {}"),
            std::string::npos);
  EXPECT_NE(changes(config("", "{\"dtype\": \"torch.quint8\", \"block\": 32}"))
                .find(">   input.block 32"),
            std::string::npos);
  EXPECT_NE(changes(config("", quint8, "\"version\": 2, ")).find("> version 2\n"),
            std::string::npos);
  for (const char* side :
       {"\"torch.float4\"",
        "{\"dtype\": \"torch.float4\", \"quant_max_upper_bound\": 7}"}) {
    EXPECT_NE(changes(config("", side)).find("torch.float4"), std::string::npos) << side;
    const std::string file = Write("float4.json", config("", side));
    const ShellOutcome same = Diff(file + " " + file);
    EXPECT_EQ(same.exit_code, 0) << same.output;
    EXPECT_EQ(same.output, "");
  }
  EXPECT_NE(Diff(Write("float4.json", config("", "{\"dtype\": \"torch.float4\"}")) + " " +
                 Write("bound.json", config("",
                                            "{\"dtype\": \"torch.float4\", "
                                            "\"quant_max_upper_bound\": 7}")))
                .output.find("input.quant_max_upper_bound 7"),
            std::string::npos);
  const std::string table = changes(config("", quint8, "\"table\": [1, 2, 3, 4, 5], "));
  EXPECT_NE(table.find("> table[2] 3\ntable differs in 2 more values\n"),
            std::string::npos)
      << table;
  // Null is what torch leaves out, and the order of keys means nothing.
  EXPECT_EQ(Diff(plain + " " + Write("other.json", config("\"layout\": null, ", quint8)))
                .exit_code,
            0);
  EXPECT_EQ(Diff(Write("one.json", config("\"a\": 1, \"b\": 2, ",
                                          "{\"dtype\": \"torch.quint8\", \"p\": 1, "
                                          "\"q\": 2}")) +
                 " " +
                 Write("two.json", config("\"b\": 2, \"a\": 1, ",
                                          "{\"q\": 2, \"p\": 1, \"dtype\": "
                                          "\"torch.quint8\"}")))
                .exit_code,
            0);
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
  EXPECT_NE(outcome.output.find("newly failing   a   PASS -> FAIL"), std::string::npos)
      << outcome.output;
  EXPECT_EQ(outcome.output.find("newly failing 1, newly passing 1, gone 1, new 1\n"), 0u);
}

TEST(DiffVerb, BadInputIsOneLineAndExitCode4) {
  const std::string graph = kDatasets + "models/digits/float.graph.json";
  for (const std::string& arguments :
       {std::string("x86"), std::string("x86 nowhere"), "x86 " + graph,
        graph + " " + kDatasets + "goldens/digits/x86", "x86 " + kDatasets,
        "x86 " + Write("cut.json", R"({"configs": [)"),
        "x86 " + Write("bad.json", R"({"configs": [{"pattern": 3}]})"),
        "x86 " + Write("bad.json", R"({"configs": [{"dtype_configs": [3]}]})"),
        "x86 " + Write("bad.json", R"({"configs": [{"dtype_configs": "x"}]})"),
        "x86 " + Write("bad.json", R"({"configs": [3]})"),
        Write("empty.json", "{}") + " x86",
        Write("empty.jsonl", "") + " " + Write("empty2.jsonl", "")}) {
    const ShellOutcome outcome = Diff(arguments);
    EXPECT_EQ(outcome.exit_code, 4) << arguments << "\n" << outcome.output;
    EXPECT_EQ(outcome.Lines(), 1) << arguments << "\n" << outcome.output;
  }
}

}  // namespace
}  // namespace qconform
