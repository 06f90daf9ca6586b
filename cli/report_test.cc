#include "cli/report.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "cli/exit_code.h"
#include "cli/test_folder.h"
#include "reference/formats/write_file.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

class ReportVerbTest : public testing::Test {
 protected:
  ReportVerbTest() : folder_(ProcessFolder() / "report") {
    fs::remove_all(folder_);
    WriteFileAtomically(folder_ / "run.jsonl", "{\"record\": \"header\"}\n");
    WriteFileAtomically(folder_ / "bench.json", R"({"context": {}, "benchmarks": []})");
  }
  ~ReportVerbTest() override { fs::remove_all(folder_); }

  int Run(const std::string& arguments) {
    CLI::App app;
    int exit_code = -1;
    AddReportVerb(app, exit_code);
    app.parse("report html " + arguments);
    return exit_code;
  }
  std::string File(const std::string& name) { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(ReportVerbTest, WritesThePage) {
  // A run after --bench is a run, not a second benchmark.
  EXPECT_EQ(Run("--bench " + File("bench.json") + " " + File("run.jsonl") + " -o " +
                File("page")),
            kExitAsExpected);
  const std::string page = ReadFileBytes(folder_ / "page" / "index.html");
  EXPECT_NE(page.find("NOTHING WAS JUDGED"), std::string::npos);
  EXPECT_NE(page.find("run.jsonl"), std::string::npos);
}

TEST_F(ReportVerbTest, WritesNothingFromABadFile) {
  EXPECT_EQ(Run(File("bench.json") + " -o " + File("page")), kExitUsage);
  EXPECT_EQ(Run("--models " + File("bench.json") + " -o " + File("page")), kExitUsage);
  EXPECT_EQ(Run("-o " + File("page")), kExitUsage);
  EXPECT_THROW(Run(File("none.jsonl") + " -o " + File("page")), InputError);
  EXPECT_FALSE(fs::exists(folder_ / "page"));
}

}  // namespace
}  // namespace qconform
