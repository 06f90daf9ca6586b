// Contracts as a user meets them: run, list and repro on a kernel backend and on a
// pipeline, with a config of the user's own; and one graph against a golden.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "cli/test_text.h"
#include "conformance/saboteurs/saboteur_files.h"

namespace qconform {
namespace {

using nlohmann::ordered_json;

const std::string kScalar = std::string(" --backend ") + QCONFORM_SCALAR_BACKEND;
const std::string kMine = QCONFORM_SOURCE_DIR "/reference/tutorial/my_npu.json";
const std::string kGolden = QCONFORM_SOURCE_DIR "/datasets/goldens/digits/x86";

ShellOutcome Qconform(const std::string& arguments) {
  return RunShell(QCONFORM_BINARY " " + arguments);
}

std::string Pipeline(const std::string& fault) {
  return " --backend 'pipeline:" QCONFORM_PIPELINE_SABOTEUR " " + fault + "'";
}

// The line that run prints to bring its first failure back.
std::string ReproOf(const ShellOutcome& outcome) {
  std::smatch match;
  EXPECT_TRUE(std::regex_search(outcome.output, match, std::regex("qconform (repro .*)")))
      << outcome.output;
  return match[1];
}

class ContractVerbs : public FolderTest {
 protected:
  std::string Out() const { return " --out " + Path("run.jsonl"); }
};

TEST_F(ContractVerbs, TheScalarBackendKeepsItsContract) {
  const ShellOutcome outcome = Qconform("run --contract" + kScalar + Out());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  // Passed, none failed, and every row was asked.
  EXPECT_TRUE(std::regex_match(outcome.LastLine(),
                               std::regex("[0-9]{3,} passed, 0 failed, 0 skipped")))
      << outcome.output;
}

// One row with a bound that the scalar backend does not keep, and declares not to keep.
TEST_F(ContractVerbs, AnotherConfigAsksAndTheOwnOneDeclares) {
  const std::string config = Written("config.json", R"({"name": "narrow", "configs": [
    {"pattern": "torch.nn.Sigmoid", "dtype_configs": [
      {"input_dtype": {"dtype": "torch.quint8", "quant_max_upper_bound": 127},
       "output_dtype": "torch.quint8"}]},
    {"pattern": "torch.nn.Dropout", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"}]}]})");
  const ShellOutcome outcome =
      Qconform("run --contract --config " + config + kScalar + Out());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("judge       " + config +
                                " asks; declared is what the backend's own config, "
                                "scalar, says: the rest it may refuse\n"),
            std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("1 not asked   exempt: computes nothing: no operator "
                                "runs in its place (row torch.nn.Dropout)"),
            std::string::npos)
      << outcome.output;
  EXPECT_TRUE(std::regex_match(outcome.LastLine(),
                               std::regex("[0-9]+ passed, 0 failed, 1 skipped")));
}

// Convolutions and linears are asked for in shapes that their smallest calls do not have.
TEST_F(ContractVerbs, RowsAreAskedForInOtherShapes) {
  for (const std::string fault : {"strided_groups", "beyond_64_channels"}) {
    const ShellOutcome outcome =
        Qconform("run --contract --filter '*conv2d/quint8*/s*' --backend " +
                 SaboteurFile("saboteur_" + fault).string() + Out());
    EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
    EXPECT_NE(outcome.output.find("/shape." + fault + "\n"), std::string::npos)
        << outcome.output;
    EXPECT_EQ(outcome.output.find("satisfied'"), std::string::npos);
  }
}

#ifdef QCONFORM_HALIDE_BACKEND
// All of x86 that a call can ask for: what is left was not asked.
TEST_F(ContractVerbs, HalideKeepsTheX86Contract) {
  const ShellOutcome outcome =
      Qconform("run --contract --config x86 --backend " QCONFORM_HALIDE_BACKEND + Out());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(outcome.output.find("config has no row"), std::string::npos)
      << outcome.output;
  EXPECT_TRUE(std::regex_match(outcome.LastLine(),
                               std::regex("[0-9]+ passed, 0 failed, [0-9]+ skipped")));
}

// It adds codes, and gives codes only.
TEST_F(ContractVerbs, ABackendMayRefuseWhatItsOwnConfigLeavesOut) {
  const std::string config = Written("config.json", R"({"name": "other", "configs": [
    {"pattern": "torch.add", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.quint8", "output_dtype": "torch.float32"}]}]})");
  const ShellOutcome outcome = Qconform("run --contract --config " + config +
                                        " --backend " QCONFORM_HALIDE_BACKEND + Out());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(std::regex_search(
      outcome.output,
      std::regex("other/contract/add/quint8.float32\\S+ +([0-9]+ pass +)?[0-9]+ refused "
                 "\\(config has no row\\)")))
      << outcome.output;
}
#endif

TEST_F(ContractVerbs, ARowWithoutACaseNeedsAnExemption) {
  const std::string config = Written("config.json", R"({"name": "odd", "configs": [
    {"pattern": "torch.nn.functional.silu", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"}]},
    {"pattern": "torch.nn.ReLU", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"}]}]})");
  const std::string run = "run --contract" + kScalar + " --config " + config + Out();
  const ShellOutcome refused = Qconform(run);
  EXPECT_EQ(refused.exit_code, 4);
  EXPECT_EQ(refused.Lines(), 1) << refused.output;
  EXPECT_NE(refused.output.find("rows without a case for a kernel backend: "
                                "torch.nn.functional.silu"),
            std::string::npos)
      << refused.output;
  const std::string exempt = " --exempt " + Written("exempt.csv",
                                                    "row,dtypes,reason\n"
                                                    "torch.nn.functional.silu,any,"
                                                    "no kernel of this kind\n");
  const ShellOutcome outcome = Qconform(run + exempt);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("exempt: no kernel of this kind"), std::string::npos);
  const ShellOutcome stale = Qconform("run --contract" + kScalar + Out() + exempt);
  EXPECT_EQ(stale.exit_code, 4);
  EXPECT_NE(stale.output.find("stale exemptions: "), std::string::npos) << stale.output;
}

TEST_F(ContractVerbs, APipelineThatIsNotThereIsUnusable) {
  const ShellOutcome outcome =
      Qconform("run --backend pipeline:/nonexistent --config x86" + Out());
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_EQ(outcome.output,
            "qconform: pipeline:/nonexistent: backend unusable: no file /nonexistent, "
            "expected a command that the shell finds (exit code 6)\n");
  EXPECT_FALSE(std::filesystem::exists(Path("run.jsonl")));
}

TEST_F(ContractVerbs, AFailureOnAKernelBackendComesBackByItsLine) {
  // It accepts a mix of dtypes that neither this config nor its own declares.
  const std::string subject = " --backend " +
                              SaboteurFile("saboteur_accepts_undeclared").string() +
                              " --config " + kMine;
  const ShellOutcome outcome = Qconform("run --contract" + subject + Out());
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  const std::string line = ReproOf(outcome);
  const ShellOutcome again = Qconform(line);
  EXPECT_EQ(again.exit_code, 1) << again.output;
  EXPECT_NE(again.output.find("FAIL, accepts what it does not declare, in query"),
            std::string::npos)
      << again.output;
  EXPECT_EQ(again.LastLine(), "0 passed, 1 failed, 0 skipped");
  const std::string id = line.substr(line.find('\''));
  EXPECT_EQ(Qconform("run --case " + id + subject + Out()).LastLine(),
            "0 passed, 1 failed, 0 skipped");
  const ShellOutcome listed =
      Qconform("list --kernels --contract " + kMine + " --filter " + id);
  EXPECT_EQ("'" + listed.LastLine() + "'", id);
  const std::string satisfied = "my_npu/contract/linear/quint8.quint8.qint8.float32/";
  EXPECT_EQ(Qconform("repro " + satisfied + "satisfied" + subject).LastLine(),
            "1 passed, 0 failed, 0 skipped");
  const std::pair<std::string, std::string> wrong[] = {
      {"repro " + satisfied + "nonsense" + subject, "no such case"},
      {"repro " + satisfied + "satisfied" + kScalar, "in the contract of scalar"},
      {"shrink " + satisfied + "satisfied" + subject, "is the smallest already"}};
  for (const auto& [command, text] : wrong) {
    const ShellOutcome refused = Qconform(command);
    EXPECT_EQ(refused.exit_code, 4) << command;
    EXPECT_EQ(refused.Lines(), 1) << refused.output;
    EXPECT_NE(refused.output.find(text), std::string::npos) << refused.output;
  }
}

TEST_F(ContractVerbs, AFailureOfAPipelineComesBackByItsLine) {
  const std::string config = " --config " + kMine;
  for (const std::string mode : {"", " --mode strict"}) {
    const ShellOutcome sound = Qconform("run" + Pipeline("none") + config + mode + Out());
    EXPECT_EQ(sound.exit_code, 0) << sound.output;
    const ShellOutcome outcome = Qconform("run" + Pipeline("zero_point_off") + config +
                                          mode + " --junit " + Path("junit.xml") + Out());
    EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
    const std::string line = ReproOf(outcome);
    EXPECT_EQ(line.find("--mode strict") != std::string::npos, !mode.empty()) << line;
    const ShellOutcome again = Qconform(line);
    EXPECT_EQ(again.exit_code, 1) << again.output;
    EXPECT_NE(again.output.find("FAIL, reference graph"), std::string::npos)
        << again.output;
    EXPECT_NE(ReadText(Path("junit.xml")).find("qconform repro"), std::string::npos);
  }
  const ShellOutcome unknown =
      Qconform("repro my_npu/contract/nn.Linear/none/none" + Pipeline("none") + config);
  EXPECT_EQ(unknown.exit_code, 4);
  EXPECT_NE(unknown.output.find("no such case"), std::string::npos) << unknown.output;
}

TEST_F(ContractVerbs, ShardsOfAPipelineAreTheWhole) {
  const std::string run = "run" + Pipeline("none") + " --config " + kMine + Out();
  int cases = 0;
  for (const char* shard : {"1/2", "2/2"}) {
    const ShellOutcome outcome = Qconform(run + " --shard " + std::string(shard));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    cases += std::stoi(outcome.LastLine());
  }
  EXPECT_EQ(cases, std::stoi(Qconform(run).LastLine()));
  const ShellOutcome jobs = Qconform(run + " -j 2");
  EXPECT_EQ(jobs.exit_code, 4);
  EXPECT_EQ(jobs.Lines(), 1) << jobs.output;
}

TEST_F(ContractVerbs, ARowOfWhichNoCaseCanBeMadeIsAnError) {
  const std::string config = Written("config.json", R"({"name": "odd", "configs": [
    {"pattern": "their.Gate", "dtype_configs": [{"input_dtype": "torch.quint8"}]}]})");
  for (const std::string& subject : {Pipeline("none"), " --contract" + kScalar}) {
    const ShellOutcome outcome =
        Qconform("run" + subject + " --config " + config + Out());
    EXPECT_EQ(outcome.exit_code, 4) << outcome.output;
    EXPECT_NE(outcome.output.find("rows without a contract case: their.Gate"),
              std::string::npos)
        << outcome.output;
  }
}

// A golden's graph as somebody else wrote it.
class GraphFile : public ContractVerbs {
 protected:
  ordered_json Read(const std::string& name) const {
    std::filesystem::copy_file(kGolden + "/" + name + ".safetensors",
                               Path(name + ".safetensors"),
                               std::filesystem::copy_options::overwrite_existing);
    return ordered_json::parse(ReadText(kGolden + "/" + name + ".graph.json"));
  }
  ShellOutcome Judge(const ordered_json& graph) const {
    return Qconform("run --graph " + Written("mine.graph.json", graph.dump()) +
                    " --golden " + kGolden);
  }
  void ExpectFailure(const ordered_json& graph, const std::string& node) const {
    const ShellOutcome outcome = Judge(graph);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
    EXPECT_EQ(outcome.LastLine(), "0 passed, 1 failed, 0 skipped");
    EXPECT_TRUE(
        std::regex_search(outcome.output, std::regex("FAIL  node '" + node + "'")))
        << outcome.output;
  }
};

ordered_json& NodeNamed(ordered_json& graph, const std::string& name) {
  for (ordered_json& node : graph["graph"]) {
    if (node["name"] == name) return node;
  }
  throw std::runtime_error("no node " + name);
}

TEST_F(GraphFile, IsTheGoldensUpToNames) {
  const ShellOutcome same = Judge(Read("reference"));
  EXPECT_EQ(same.exit_code, 0) << same.output;
  EXPECT_EQ(same.LastLine(), "1 passed, 0 failed, 0 skipped");
  EXPECT_EQ(Judge(Read("prepared")).exit_code, 0) << "the prepared graph";
  ordered_json renamed = Read("reference");
  for (ordered_json& node : renamed["graph"]) {
    const std::string old = node["name"];
    if (node["op"] == "placeholder" || node["op"] == "output") continue;
    node["name"] = "mine_" + old;
    for (ordered_json& user : renamed["graph"]) {
      for (ordered_json& argument : user["args"]) {
        if (argument.is_object() && argument.value("n", "") == old) {
          argument["n"] = "mine_" + old;
        }
      }
    }
  }
  renamed.erase("node_scope");
  const ShellOutcome outcome = Judge(renamed);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
}

TEST_F(GraphFile, OneChangedParameterOperatorOrUseNamesTheNode) {
  const ordered_json golden = Read("reference");
  ordered_json scale = golden;
  scale["attrs"]["conv1_scale_0"]["b64"] = "P/3ePA==";  // one unit in the last place
  scale["attrs"]["conv1_scale_0"].erase("v");
  ExpectFailure(scale, "conv1_scale_0");
  ordered_json zero_point = golden;
  zero_point["attrs"]["conv1_input_zero_point_0"]["b64"] = "AQAAAAAAAAA=";
  zero_point["attrs"]["conv1_input_zero_point_0"].erase("v");
  ExpectFailure(zero_point, "conv1_input_zero_point_0");
  ordered_json dtype = golden;
  NodeNamed(dtype, "quantize_per_tensor")["args"][3]["dt"] = "torch.qint8";
  ExpectFailure(dtype, "quantize_per_tensor");
  ordered_json op = golden;
  NodeNamed(op, "quantize_per_tensor")["target"] = "torch.quantize_per_channel";
  ExpectFailure(op, "quantize_per_tensor");
  // Two quantizers share what should be each one's own.
  ordered_json shared = golden;
  for (ordered_json& node : shared["graph"]) {
    for (ordered_json& argument : node["args"]) {
      if (argument.is_object() && argument.value("n", "") == "conv1_scale_0") {
        argument["n"] = "conv1_input_scale_0";
      }
    }
  }
  EXPECT_EQ(Judge(shared).exit_code, 1);
  ordered_json stride = golden;
  stride["modules"]["conv1"]["attrs"]["groups"] = 2;
  ExpectFailure(stride, "conv1");
}

TEST_F(GraphFile, ObserversThatShareOrNotNameTheNode) {
  ordered_json prepared = Read("prepared");
  NodeNamed(prepared, "activation_post_process_2")["target"] =
      "activation_post_process_1";
  ExpectFailure(prepared, "activation_post_process_[12]");
}

TEST_F(GraphFile, NothingToJudgeItAgainstIsWrongUsage) {
  Read("reference");
  for (const std::string& golden : {std::string(), std::string(" --golden /nowhere"),
                                    " --golden " + kGolden + " --golden " + kGolden}) {
    const ShellOutcome outcome =
        Qconform("run --graph " + kGolden + "/reference.graph.json" + golden);
    EXPECT_EQ(outcome.exit_code, 4) << outcome.output;
    EXPECT_EQ(outcome.Lines(), 1) << outcome.output;
  }
}

}  // namespace
}  // namespace qconform
