// What packagers get: a .deb and a .tgz that hold the same package, which runs where it
// is unpacked.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

class Archive : public FolderTest {
 protected:
  // The one file below the folder whose name ends so.
  fs::path Only(const std::string& ending) const {
    fs::path found;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (!entry.path().string().ends_with(ending)) continue;
      EXPECT_TRUE(found.empty()) << found << " and " << entry.path();
      found = entry.path();
    }
    return found;
  }

  static void ExpectAPackage(const fs::path& root) {
    for (const char* file :
         {"bin/qconform", "bin/qconform_worker", "lib/qconform/libqconform_scalar.so",
          "include/qconform/kernels/abi/qconform_backend.h",
          "lib/pkgconfig/qconform-backend.pc", "lib/cmake/qconform/qconform-config.cmake",
          "share/qconform/suites/linear.csv", "share/qconform/example_c/my_npu.c",
          "share/qconform/goldens/digits/x86/manifest.json"})
      EXPECT_TRUE(fs::exists(root / file)) << root / file;
    const std::string run = "cd " + root.string() +
                            " && env -i bin/qconform run --backend " +
                            "lib/qconform/libqconform_scalar.so --suite linear --tier "
                            "smoke --filter '*/m1.*'" +
                            " --golden share/qconform/goldens/digits/x86 --out /dev/null";
    const ShellOutcome outcome = RunShell(run);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    EXPECT_TRUE(std::regex_match(outcome.LastLine(),
                                 std::regex("[1-9][0-9]* passed, 0 failed, 0 skipped")))
        << outcome.output;
  }
};

TEST_F(Archive, DebAndTgzHoldAPackageThatRuns) {
  const ShellOutcome packed = RunShell(
      "cd " + folder_.string() +
      " && " QCONFORM_CPACK " --config " QCONFORM_BINARY_DIR "/CPackConfig.cmake -B " +
      folder_.string());
  ASSERT_EQ(packed.exit_code, 0) << packed.output;
  const std::string deb = Only(".deb").string();
  const ShellOutcome depends = RunShell("dpkg-deb -f " + deb + " Depends");
  for (const char* library : {"libc6", "libfmt", "libssl", "libgomp1"})
    EXPECT_NE(depends.output.find(library), std::string::npos) << depends.output;
  const std::string unpack = "mkdir deb tgz; dpkg-deb -x " + deb + " deb && tar -xzf " +
                             Only(".tar.gz").string() + " -C tgz --strip-components=1";
  const ShellOutcome unpacked = RunShell("cd " + folder_.string() + " && " + unpack);
  ASSERT_EQ(unpacked.exit_code, 0) << unpacked.output;
  ExpectAPackage(folder_ / "deb" / "usr");
  ExpectAPackage(folder_ / "tgz");
}

}  // namespace
}  // namespace qconform
