// A folder goes with its owner, also when that is killed.
#include "conformance/host/scratch_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace qconform {
namespace {

namespace fs = std::filesystem;

class ScratchFolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(room_);
    fs::create_directories(room_);
    setenv("TMPDIR", room_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("TMPDIR");
    fs::remove_all(room_);
  }

  // Makes a folder with a file in a process that ends without destructors.
  void LeaveBehind(const char* name) const {
    const pid_t child = fork();
    if (child == 0) {
      const ScratchFolder scratch(name);
      std::ofstream(scratch.path() / "file") << "x";
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_EQ(status, 0);
  }
  long Entries() const {
    return std::distance(fs::directory_iterator(room_), fs::directory_iterator());
  }

  const fs::path room_ = fs::path(::testing::TempDir()) / "qconform_scratch_room";
};

TEST_F(ScratchFolderTest, TheNextOneRemovesWhatAKilledOwnerLeft) {
  LeaveBehind("one");
  LeaveBehind("two");
  ASSERT_EQ(Entries(), 2);
  {
    const ScratchFolder next("one");
    EXPECT_TRUE(fs::is_empty(next.path()));
    EXPECT_EQ(Entries(), 2) << "its own and that of another name";
  }
  EXPECT_EQ(Entries(), 1);
}

TEST_F(ScratchFolderTest, ALivingOnesFolderStays) {
  ScratchFolder first("one");
  std::ofstream(first.path() / "file") << "x";
  const ScratchFolder second("one");
  EXPECT_TRUE(fs::exists(first.path() / "file"));
  first.Clear();
  EXPECT_TRUE(fs::is_empty(first.path()));
  // It is locked still.
  const ScratchFolder third("one");
  EXPECT_TRUE(fs::exists(first.path()));
  EXPECT_EQ(Entries(), 3);
}

}  // namespace
}  // namespace qconform
