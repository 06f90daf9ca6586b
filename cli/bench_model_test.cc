// qconform bench --model: a model by its name, its table and its JSON.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "cli/test_text.h"

namespace qconform {
namespace {

class BenchModelVerb : public FolderTest {
 protected:
  static ShellOutcome Bench(const std::string& arguments) {
    return RunShell(QCONFORM_BINARY " bench --thread-counts 1 --rounds 3 " + arguments);
  }
  static std::string Scalar() { return " --backend " QCONFORM_SCALAR_BACKEND; }
};

TEST_F(BenchModelVerb, ModelByNameAndByFolder) {
  const std::string file = (folder_ / "models.json").string();
  for (const char* model : {"digits", QCONFORM_SOURCE_DIR "/datasets/models/digits"}) {
    const ShellOutcome outcome =
        Bench("--model " + std::string(model) + Scalar() + " --json " + file);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    EXPECT_NE(outcome.output.find("\ndigits "), std::string::npos) << outcome.output;
    EXPECT_NE(outcome.output.find("conv2d 3x3"), std::string::npos) << outcome.output;
    EXPECT_NE(ReadText(file).find("digits/scalar/threads:1"), std::string::npos);
  }
}

TEST_F(BenchModelVerb, MistakesAreOneLine) {
  for (const auto& [arguments, what] :
       {std::pair<std::string, const char*>{"--model nowhere" + Scalar(),
                                            "no such model"},
        {"--model digits", "nothing to time"},
        {"--model digits --config nobody" + Scalar(), "nobody"}}) {
    const ShellOutcome outcome = Bench(arguments);
    EXPECT_EQ(outcome.exit_code, 4) << outcome.output;
    EXPECT_NE(outcome.output.find(what), std::string::npos) << outcome.output;
  }
}

}  // namespace
}  // namespace qconform
