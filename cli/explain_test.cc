// `qconform explain` as a user meets it.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "reference/formats/json_file.h"

namespace qconform {
namespace {

constexpr const char* kGraph =
    QCONFORM_SOURCE_DIR "/datasets/models/digits/float.graph.json";

ShellOutcome Explain(const std::string& arguments) {
  return RunShell(std::string(QCONFORM_BINARY) + " explain " + arguments);
}

std::string Write(const std::string& name, const std::string& text) {
  const std::string file = ProcessFolder() / name;
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

TEST(ExplainVerb, NodesObserversAndWhatTookNoEffect) {
  const ShellOutcome outcome = Explain(std::string("x86 ") + kGraph);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("(torch.nn.MaxPool2d): quantized"), std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("output activation_post_process_"), std::string::npos);
  EXPECT_NE(outcome.output.find(", shared by 2, first activation_post_process_"),
            std::string::npos);
  EXPECT_NE(outcome.output.find("unused   config row "), std::string::npos);
  EXPECT_NE(outcome.output.find("differs  "), std::string::npos);
  EXPECT_NE(outcome.LastLine().find(" left in float, "), std::string::npos);
  EXPECT_GT(Explain(std::string("x86 --all ") + kGraph).Lines(), outcome.Lines() + 50);
}

TEST(ExplainVerb, JsonAndQat) {
  const ShellOutcome outcome = Explain(std::string("qnnpack --json --qat ") + kGraph);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output.substr(0, 500);
  const JsonFile json = JsonFile::Parse(outcome.output, "output");
  EXPECT_GT(json.root()["nodes"].size(), 10u);
  EXPECT_GT(json.root()["unused"].size(), 10u);
  EXPECT_GT(json.root()["differences"].size(), 1u);
  EXPECT_NE(outcome.output.find("FusedMovingAvgObsFakeQuantize"), std::string::npos);
}

// Four convolutions and a linear, whose weights x86 takes as qint8 only.
TEST(ExplainVerb, AWeightThatConvertLeavesFloatCountsAsFloat) {
  const std::string mapping = Write("unsigned.json", R"({"global": {
"activation": {"class": "MinMaxObserver", "kwargs": {"dtype": "torch.quint8"}},
"weight": {"class": "MinMaxObserver", "kwargs": {"dtype": "torch.quint8"}}}})");
  const ShellOutcome outcome =
      Explain(std::string("x86 ") + kGraph + " --mapping " + mapping);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("classifier (torch.nn.Linear): float: weight left float"),
            std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("weight_dtype: the qconfig has quint8, the backend "
                                "allows qint8"),
            std::string::npos);
  EXPECT_EQ(outcome.LastLine(),
            "19 nodes: 7 fused, 5 quantized, 5 left in float, 2 compute no tensor");
}

TEST(ExplainVerb, ChecksTheConvertCustomConfig) {
  const std::string custom =
      Write("convert.json", R"({"preserved_attributes": ["anchors"]})");
  const ShellOutcome outcome =
      Explain(std::string("x86 ") + kGraph + " --convert-custom-config " + custom);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("unused   custom setting preserved_attributes anchors: "),
            std::string::npos)
      << outcome.output;
}

// torch ignores them in silence.
TEST(ExplainVerb, SaysWhichKeysAreIgnored) {
  const std::string mapping = Write("mapping.json", R"({"global_qconfig": null})");
  const std::string custom = Write("custom.json", R"({"input_quantized_indexes": [0]})");
  const ShellOutcome outcome = Explain(std::string("x86 ") + kGraph + " --mapping " +
                                       mapping + " --prepare-custom-config " + custom);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("note: " + mapping + ":1"), std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("note: " + custom + ":1"), std::string::npos)
      << outcome.output;
}

// Its value looks like CONFIG.
TEST(ExplainVerb, NamesTheUnknownOption) {
  const ShellOutcome outcome = Explain("--config x86 --model " QCONFORM_SOURCE_DIR
                                       "/datasets/models/digits "
                                       "--calibration x");
  EXPECT_EQ(outcome.exit_code, 4) << outcome.output;
  EXPECT_EQ(outcome.Lines(), 1) << outcome.output;
  EXPECT_NE(outcome.output.find("--calibration"), std::string::npos) << outcome.output;
}

TEST(ExplainVerb, BadInputIsOneLineAndExitCode4) {
  const std::string graph = std::string(" ") + kGraph;
  for (const std::string& arguments :
       {std::string(), std::string("x86"), "nowhere.json" + graph,
        Write("config.json", R"({"configs": [{"pattern": 3}]})") + graph,
        Write("fuser.json",
              R"({"configs": [{"pattern": ["torch.nn.Conv2d", "torch.nn.BatchNorm2d"],
"fuser_method": "nobody"}]})") +
            graph,
        "x86 --mapping " +
            Write("regex.json", R"({"module_name_regex": [["(", null]]})") + graph,
        "x86 --mapping " + Write("cut.json", "{") + graph,
        "x86 --prepare-custom-config " + Write("list.json", "[]") + graph,
        // What explain does not use, and what is said twice.
        "x86 --calibration x.safetensors" + graph, "x86 --engine fbgemm" + graph,
        "x86 --state-dict x.safetensors" + graph, "qnnpack --config x86" + graph,
        "x86" + graph + " --graph" + graph,
        "x86" + graph + " --model " QCONFORM_SOURCE_DIR "/datasets/models/digits"}) {
    const ShellOutcome outcome = Explain(arguments);
    EXPECT_EQ(outcome.exit_code, 4) << arguments << "\n" << outcome.output;
    EXPECT_EQ(outcome.Lines(), 1) << arguments << "\n" << outcome.output;
  }
}

}  // namespace
}  // namespace qconform
