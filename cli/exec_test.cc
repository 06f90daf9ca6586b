// export onnx and exec: as a user meets them.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "conformance/adapters/onnx/onnx_evaluator.h"
#include "conformance/host/exec_folder.h"
#include "conformance/verdict/journal.h"
#include "reference/formats/write_file.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCase =
    "first_light/conv2d.u8s8u8.per_channel.bias_f32.relu/"
    "n1.c4.i5x5.o3.k3x3.p1x1.zx128.zy7/uniform";

class ExecVerbTest : public FolderTest {
 protected:
  ShellOutcome Qconform(const std::string& arguments) {
    return RunShell(QCONFORM_BINARY " " + arguments);
  }
  std::string Path(const std::string& name) { return (folder_ / name).string(); }
  std::string Golden(const std::string& name) {
    return QCONFORM_SOURCE_DIR "/datasets/goldens/" + name;
  }
  std::string Exec(const std::string& words) {
    return "--backend 'exec:" QCONFORM_ONNX_EVALUATOR + words + "'";
  }

  // The exported folder, computed: whether every output is what the folder expects.
  bool EvaluatesAsExpected(const std::string& name) {
    const fs::path folder = folder_ / name;
    const OnnxModel model = ParseOnnxModel(ReadFileBytes(folder / kExecModelFile), name);
    std::vector<Tensor> inputs;
    for (size_t i = 0; i < model.inputs.size(); ++i)
      inputs.push_back(ParseOnnxTensor(ReadFileBytes(ExecInputFile(folder, i)), name));
    const std::vector<Tensor> outputs = EvaluateOnnx(model, inputs);
    bool equal = !outputs.empty();
    for (size_t i = 0; i < outputs.size(); ++i)
      equal = equal &&
              BitEqual(outputs[i],
                       ParseOnnxTensor(ReadFileBytes(ExecOutputFile(folder, i)), name));
    return equal;
  }
};

TEST_F(ExecVerbTest, ExportsACase) {
  for (const std::string form : {"qdq", "operator", "integer"}) {
    const ShellOutcome outcome = Qconform("export onnx '" + std::string(kCase) +
                                          "' --form " + form + " -o " + Path(form));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    EXPECT_NE(outcome.output.find("1 inputs, 1 outputs, opset 17, form " + form),
              std::string::npos)
        << outcome.output;
    if (form != "qdq") {
      EXPECT_TRUE(EvaluatesAsExpected(form)) << form;
    }
  }
}

TEST_F(ExecVerbTest, ExportsEveryGolden) {
  for (const char* name : {"digits/x86", "digits/qnnpack", "two_modes/x86.torch",
                           "two_modes/x86.strict", "crepe_tiny/x86"}) {
    const std::string out =
        std::string(name).substr(0, 3) + fs::path(name).filename().string();
    const ShellOutcome outcome =
        Qconform("export onnx " + Golden(name) + " --form integer -o " + Path(out));
    EXPECT_EQ(outcome.exit_code, 0) << name << ": " << outcome.output;
  }
  EXPECT_TRUE(EvaluatesAsExpected("digx86"));
  EXPECT_TRUE(EvaluatesAsExpected("digqnnpack"));
}

TEST_F(ExecVerbTest, RefusesInOneLine) {
  const ShellOutcome circular = Qconform(
      "export onnx 't/pad.u8u8.circular/i2x4.p1x1.zx3.zy3/uniform' -o " + Path("c"));
  EXPECT_EQ(circular.exit_code, 4);
  EXPECT_EQ(
      circular.output,
      "qconform: node 'pad': Pad of opset 17 has no circular padding (exit code 4)\n");
  EXPECT_FALSE(fs::exists(folder_ / "c"));
}

TEST_F(ExecVerbTest, RunsACommandOnSuitesAndGoldens) {
  const std::string selection = " --golden " + Golden("digits/x86") + " --case '" +
                                kCase + "' --form integer -j 2 --out " +
                                Path("run.jsonl");
  const ShellOutcome outcome = Qconform("run " + Exec(" --stay") + selection);
  EXPECT_NE(outcome.output.find("conv2d 3"), std::string::npos) << outcome.output;
  EXPECT_TRUE(outcome.LastLine().find(" 0 failed") != std::string::npos)
      << outcome.output;
  EXPECT_EQ(outcome.exit_code, 0);
  const Journal journal = ReadJournal(Path("run.jsonl"));
  EXPECT_TRUE(journal.footer && journal.footer->complete);
  const ShellOutcome resumed =
      Qconform("run " + Exec(" --stay") + " --golden " + Golden("digits/x86") +
               " --case '" + kCase + "' --form integer --resume " + Path("run.jsonl"));
  EXPECT_NE(resumed.output.find("verdicts were in the journal already"),
            std::string::npos)
      << resumed.output;
  // Another form is another subject.
  EXPECT_EQ(Qconform("run " + Exec(" --stay") + " --golden " + Golden("digits/x86") +
                     " --case '" + kCase + "' --resume " + Path("run.jsonl"))
                .exit_code,
            4);
}

TEST_F(ExecVerbTest, ReproAndDoctor) {
  const ShellOutcome repro = Qconform("repro '" + std::string(kCase) +
                                      "' --form integer " + Exec(" --fault=wrong_code"));
  EXPECT_EQ(repro.exit_code, 1) << repro.output;
  EXPECT_EQ(repro.LastLine(), "0 passed, 1 failed, 0 skipped");
  const ShellOutcome sane = Qconform("doctor 'exec:" QCONFORM_ONNX_EVALUATOR "'");
  EXPECT_EQ(sane.exit_code, 0) << sane.output;
  EXPECT_NE(sane.output.find("ONNX test folders, opset 17, form qdq"), std::string::npos)
      << sane.output;
  // Nothing of it was seen.
  for (const char* check : {"aligned", "quiet", "threads"})
    EXPECT_EQ(sane.output.find(check), std::string::npos) << sane.output;
  const ShellOutcome sick =
      Qconform("doctor 'exec:" QCONFORM_ONNX_EVALUATOR " --fault=crashes'");
  EXPECT_EQ(sick.exit_code, 6) << sick.output;
  EXPECT_NE(sick.output.find("SIGSEGV"), std::string::npos) << sick.output;
}

TEST_F(ExecVerbTest, ACommandThatIsNotThereIsUnusable) {
  for (const std::string& words :
       {"run --suite linear --out " + Path("run.jsonl") + " --backend exec:/nonexistent",
        std::string("doctor exec:/nonexistent"),
        "repro '" + std::string(kCase) + "' --backend exec:/nonexistent"}) {
    const ShellOutcome outcome = Qconform(words);
    EXPECT_EQ(outcome.exit_code, 6) << words;
    EXPECT_EQ(outcome.output,
              "qconform: exec:/nonexistent: backend unusable: no file /nonexistent, "
              "expected a command that the shell finds (exit code 6)\n");
  }
  EXPECT_FALSE(fs::exists(Path("run.jsonl")));
}

TEST_F(ExecVerbTest, OptionsThatMeanNothingAreRefused) {
  EXPECT_EQ(Qconform("repro 'x/y' --in-process --backend exec:true").exit_code, 4);
  const ShellOutcome isa = Qconform("run --backend exec:true --isa all");
  EXPECT_EQ(isa.exit_code, 4);
  EXPECT_EQ(isa.Lines(), 1) << isa.output;
  const ShellOutcome scheme = Qconform("run --backend exec:true --scheme half/way");
  EXPECT_EQ(scheme.exit_code, 4);
  EXPECT_NE(scheme.output.find("'half/way' is no scheme"), std::string::npos)
      << scheme.output;
  EXPECT_EQ(Qconform("run --backend nothing.so --form integer").exit_code, 4);
}

}  // namespace
}  // namespace qconform
