// For tests of the binary: an empty folder of each test's own, gone when it ends.
#ifndef QCONFORM_CLI_TEST_FOLDER_H_
#define QCONFORM_CLI_TEST_FOLDER_H_

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace qconform {

// A folder of this process, gone when it ends: tests may run twice at once, and another
// user's files may lie where names are fixed.
inline const std::filesystem::path& ProcessFolder() {
  struct Folder {
    Folder() {
      std::string name = (std::filesystem::path(testing::TempDir()) / "qconform.XXXXXX");
      if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder " + name);
      path = name;
    }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
    std::filesystem::path path;
  };
  static const Folder folder;
  return folder.path;
}

class FolderTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        ProcessFolder() / testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  // The path of a file in the folder that now holds the text.
  std::string Written(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return Path(name);
  }

  std::filesystem::path folder_;
};

}  // namespace qconform

#endif  // QCONFORM_CLI_TEST_FOLDER_H_
