// A pipeline may crash, hang, answer garbage or go in the middle: every case has a
// verdict, and those beside it keep theirs.
#include "conformance/host/pipeline_subject.h"

#include <gtest/gtest.h>

#include <fstream>

#include "conformance/contract/pipeline_cases.h"
#include "conformance/host/call_target.h"
#include "reference/config/backend_config_json.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

constexpr char kReference[] = QCONFORM_PIPELINE_SABOTEUR " none";

std::shared_ptr<const BackendConfig> ConfigOfFile(const std::string& file) {
  const JsonFile json = JsonFile::Read(std::string(QCONFORM_SOURCE_DIR) + "/" + file);
  return std::make_shared<BackendConfig>(BackendConfigFromJson(json.root(), json));
}

// The first `count` cases whose ids hold `part`.
std::vector<CaseRecord> RunCases(const std::string& command, size_t count,
                                 Mode mode = Mode::kTorch, int64_t limit_ms = 20000,
                                 const std::string& part = "") {
  const auto config = ConfigOfFile("conformance/contract/bounds.json");
  std::vector<ContractCase> cases = ExpandContract(*config);
  std::erase_if(
      cases, [&](const ContractCase& c) { return c.id.find(part) == std::string::npos; });
  cases.resize(std::min(count, cases.size()));
  PipelineOptions options;
  options.time_limit_ms = limit_ms;
  const auto subject = std::make_shared<PipelineSubject>(command, config, options);
  NoCallTarget no_target;
  const Subject identity{no_target, IdentityOfCommand(command), config.get()};
  std::vector<CaseRecord> records;
  for (const CaseSource& source : PipelineCases(cases, subject, config, mode)) {
    records.push_back(source.run(identity));
  }
  return records;
}

class PipelineScript : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              (std::string("pipeline_") +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // The command that runs a shell script with the folder of requests as $1.
  std::string Script(const std::string& text) const {
    const fs::path file = folder_ / "pipeline.sh";
    std::ofstream(file) << text << "\n";
    return "exec sh " + file.string();
  }
  // As sound as the reference, but for what the script does with the first case.
  std::string SoundBut(const std::string& text) const {
    return Script(std::string(kReference) + " \"$1\" && cd \"$1\" && if [ -d 000000 ]; " +
                  "then cd 000000; " + text + "; fi");
  }

  fs::path folder_;
};

TEST_F(PipelineScript, ThatHangsIsKilledWithItsChildren) {
  const fs::path alive = folder_ / "alive";
  const std::string command =
      Script("(sleep 2; touch " + alive.string() + ") & sleep 60");
  for (const CaseRecord& record : RunCases(command, 2, Mode::kTorch, 300)) {
    EXPECT_EQ(record.verdict, Verdict::kHang) << record.id;
  }
  sleep(2);
  EXPECT_FALSE(fs::exists(alive)) << "a child outlived the time limit";
}

TEST_F(PipelineScript, ThatCrashesSaysBySignalAndLastLine) {
  const std::string command = Script("echo first; echo goodbye; kill -SEGV $$");
  for (const CaseRecord& record : RunCases(command, 2)) {
    EXPECT_EQ(record.verdict, Verdict::kCrash);
    EXPECT_EQ(record.signal, "SIGSEGV");
    EXPECT_EQ(record.printed, "goodbye");
  }
  for (const CaseRecord& record : RunCases("exit 3;", 2)) {
    EXPECT_EQ(record.verdict, Verdict::kCrash);
    EXPECT_EQ(record.signal, "exit 3");
  }
}

TEST_F(PipelineScript, ThatDiesInTheMiddleLosesOneCase) {
  // Case 2 is never answered by the process that was asked first.
  const std::string command =
      Script("if [ -d \"$1\"/000000 ]; then mv \"$1\"/000002 " + folder_.string() + "; " +
             std::string(kReference) + " \"$1\"; mv " + folder_.string() +
             "/000002 \"$1\"; kill -KILL $$; fi; " + kReference + " \"$1\"");
  const std::vector<CaseRecord> records = RunCases(command, 5);
  for (size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(records[i].verdict, i == 2 ? Verdict::kCrash : Verdict::kPass)
        << records[i].id << " " << records[i].cause;
  }
  EXPECT_EQ(records[2].signal, "SIGKILL");
}

TEST_F(PipelineScript, GarbageIsAFailureInOneLine) {
  const std::string graph = "reference.graph.json";
  const char* garbage[] = {
      "rm reference.graph.json",
      "rm prepared.graph.json",
      "echo '{' > reference.graph.json",
      "echo '[]' > prepared.graph.json",
      "head -c 200 reference.graph.json > half; mv half reference.graph.json",
      "head -c 4096 /dev/zero > prepared.graph.json",
      "sed 's/\"target\"/\"aim\"/' -i reference.graph.json",
      "sed 's/\"n\": *\"x\"/\"n\": \"nobody\"/' -i reference.graph.json",
      "sed 's/safetensors/..\\/..\\/nowhere/' -i prepared.graph.json; rm *.safetensors",
      "echo '{\"stage\": 3}' > refusal.json",
      "echo '{\"stage\": \"prepare\"}' > refusal.json",
      "mkdir refusal.json",
  };
  for (const char* edit : garbage) {
    const std::vector<CaseRecord> records = RunCases(SoundBut(edit), 2);
    EXPECT_EQ(records[0].verdict, Verdict::kFail) << edit;
    EXPECT_EQ(records[0].cause, "malformed answer") << edit;
    ASSERT_EQ(records[0].details.size(), 1U) << edit;
    EXPECT_EQ(records[0].details[0].find('\n'), std::string::npos);
    EXPECT_EQ(records[0].details[0].find("qconform_pipeline_"), std::string::npos)
        << records[0].details[0];
    EXPECT_EQ(records[1].verdict, Verdict::kPass) << edit;
  }
}

TEST_F(PipelineScript, ARefusalOfWhatIsDeclaredFails) {
  const std::vector<CaseRecord> records =
      RunCases(SoundBut("echo '{\"stage\": \"prepare\", \"error\": \"ValueError\", "
                        "\"message\": \"not today\"}' > refusal.json"),
               1);
  EXPECT_EQ(records[0].verdict, Verdict::kRefused);
  EXPECT_TRUE(IsFailed(records[0]));
  EXPECT_EQ(records[0].reason, "ValueError: not today");
}

// What is declared where torch does something else is told apart by name.
TEST_F(PipelineScript, AModeThatWasNotAskedForIsNamed) {
  const auto run = [](const std::string& command, Mode mode) {
    return RunCases(command, 1000, mode, 20000, "/nn.Linear/");
  };
  for (const Mode mode : {Mode::kTorch, Mode::kStrict}) {
    for (const CaseRecord& record : run(kReference, mode)) {
      EXPECT_EQ(record.verdict, Verdict::kPass) << record.id << " " << record.cause;
    }
  }
  int named = 0;
  const std::string strict = QCONFORM_PIPELINE_SABOTEUR " always_strict";
  for (const CaseRecord& record : run(strict, Mode::kTorch)) {
    if (record.verdict == Verdict::kPass) continue;
    EXPECT_EQ(record.cause, "strict mode") << record.id;
    ++named;
  }
  EXPECT_GT(named, 10);
}

}  // namespace
}  // namespace qconform
