// A run that is killed at any moment loses nothing that was journalled: at most the case
// in flight is run again. The moments are random, from a fixed seed; QCONFORM_KILLS says
// how many there are.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "cli/test_folder.h"
#include "conformance/verdict/journal.h"

extern char** environ;

namespace qconform {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

class RunningVerb {
 public:
  explicit RunningVerb(const std::vector<std::string>& words) {
    std::vector<std::string> copy = words;
    std::vector<char*> arguments;
    for (std::string& word : copy) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    EXPECT_EQ(posix_spawn(&process_, arguments[0], &actions, nullptr, arguments.data(),
                          environ),
              0);
    posix_spawn_file_actions_destroy(&actions);
  }
  // True if it was still running.
  bool KillAfter(std::chrono::microseconds delay) {
    usleep(static_cast<useconds_t>(delay.count()));
    kill(process_, SIGKILL);
    return WIFSIGNALED(Wait());
  }
  int Wait() {
    int status = 0;
    waitpid(process_, &status, 0);
    return status;
  }

 private:
  pid_t process_ = -1;
};

// Whole lines of cases, by id; empty before the header is whole.
std::map<std::string, std::string> LinesOf(const fs::path& journal) {
  std::map<std::string, std::string> lines;
  if (!fs::exists(journal) || HasNoWholeLine(journal)) return lines;
  for (const CaseRecord& record : ReadJournal(journal).cases) {
    EXPECT_TRUE(lines.emplace(record.id, JournalLine(record)).second)
        << record.id << " is there twice";
  }
  return lines;
}

TEST(KillAndResume, LosesNothingThatWasJournalled) {
  const char* wanted = std::getenv("QCONFORM_KILLS");
  const int kills = wanted == nullptr ? 25 : std::atoi(wanted);
  const fs::path journal = ProcessFolder() / "kills.jsonl";
  fs::remove(journal);
  const std::vector<std::string> fresh = {QCONFORM_BINARY,
                                          "run",
                                          "--backend",
                                          QCONFORM_SCALAR_BACKEND,
                                          "--suite",
                                          QCONFORM_SOURCE_DIR
                                          "/datasets/suites/first_light.csv",
                                          "--filter",
                                          "*linear*:*n1.c8.i9x*",
                                          "-j",
                                          "2",
                                          "--out",
                                          journal.string()};
  std::vector<std::string> resume = fresh;
  resume.back() = (journal.string() + ".unused");
  resume.insert(resume.end(), {"--resume", journal.string()});

  const auto begin = Clock::now();
  ASSERT_EQ(RunningVerb(fresh).Wait(), 0);
  const auto whole =
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
  const size_t cases = LinesOf(journal).size();
  ASSERT_GT(cases, 20u);
  fs::remove(journal);

  std::mt19937_64 random(2026);
  int done = 0;
  int ended = 0;
  while (done < kills) {
    const std::map<std::string, std::string> before = LinesOf(journal);
    RunningVerb run(fs::exists(journal) ? resume : fresh);
    const auto delay = std::chrono::microseconds(
        random() % static_cast<uint64_t>(whole.count() * 5 / 4));
    const bool killed = run.KillAfter(delay);
    done += killed ? 1 : 0;
    const std::map<std::string, std::string> after = LinesOf(journal);
    for (const auto& [id, line] : before) {
      const auto found = after.find(id);
      ASSERT_NE(found, after.end()) << id << " was lost at kill " << done;
      ASSERT_EQ(found->second, line);
    }
    if (killed) continue;
    // It came to its end: every case once. The next run starts anew.
    EXPECT_EQ(after.size(), cases);
    EXPECT_TRUE(ReadJournal(journal).footer->complete);
    fs::remove(journal);
    ++ended;
  }
  if (fs::exists(journal)) {
    EXPECT_EQ(RunningVerb(resume).Wait(), 0);
    EXPECT_EQ(LinesOf(journal).size(), cases);
  }
  std::cout << "killed " << done << " times, came to its end " << ended << " times\n";
}

}  // namespace
}  // namespace qconform
