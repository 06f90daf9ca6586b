#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "kernels/target/path.h"
#include "kernels/testing/backend_files.h"
#include "kernels/testing/problem.h"

namespace qconform::kernels {
namespace {

void ExpectExact(const std::string& file, const Problem& problem) {
  const LoadedBackend backend(file);
  for (Path path : RunnablePaths()) {
    setenv("QCONFORM_ISA", PathName(path), 1);
    const Outcome outcome = Solve(backend, problem);
    unsetenv("QCONFORM_ISA");
    ASSERT_EQ(outcome.failure, "") << Describe(problem) << " on " << PathName(path);
    ASSERT_EQ(outcome.wrong, 0) << Describe(problem) << " on " << PathName(path);
    ASSERT_EQ(outcome.path, PathName(path));
  }
}

Problem Linear(int64_t m, int64_t k, int64_t n) {
  Problem p;
  p.kind = QC_LINEAR;
  p.batch = m;
  p.group_inputs = k;
  p.group_outputs = n;
  p.input_zero_point = 77;
  p.threads = 2;
  return p;
}

TEST(Linear, RandomProblemsAreExactOnEveryPath) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    ExpectExact(kHalideBackend, RandomProblem(seed, QC_LINEAR));
  }
}

TEST(Linear, ByteKernelsAreExactWithoutVnni) {
  for (uint32_t seed = 1000; seed < 1300; ++seed) {
    ExpectExact(kBytesBackend, RandomProblem(seed, QC_LINEAR));
  }
}

TEST(Linear, SizesOfZeroAndOne) {
  for (int64_t m : {0, 1, 2}) {
    for (int64_t k : {0, 1, 2}) {
      for (int64_t n : {0, 1, 2}) {
        ExpectExact(kHalideBackend, Linear(m, k, n));
        ExpectExact(kBytesBackend, Linear(m, k, n));
      }
    }
  }
}

TEST(Linear, LargeReduction) {
  ExpectExact(kHalideBackend, Linear(1, 2048, 1000));
  ExpectExact(kHalideBackend, Linear(7, 9216, 21));
  Problem extreme = Linear(6, 4096, 16);
  extreme.extreme = true;
  extreme.input_zero_point = 0;
  ExpectExact(kHalideBackend, extreme);
  ExpectExact(kBytesBackend, extreme);
}

TEST(Linear, ThreadsDoNotChangeTheBits) {
  const LoadedBackend backend(kHalideBackend);
  Problem p = Linear(64, 256, 300);
  p.threads = 1;
  const Outcome one = Solve(backend, p);
  for (int threads : {2, 3, 7}) {
    p.threads = threads;
    EXPECT_EQ(Solve(backend, p).codes, one.codes) << threads;
  }
}

TEST(Linear, WrongRoundingIsCaught) {
  const LoadedBackend backend(kWrongRoundingBackend);
  int64_t wrong = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    const Problem problem = RandomProblem(seed, QC_LINEAR);
    const Outcome away = Solve(backend, problem, "away");
    ASSERT_EQ(away.failure, "");
    ASSERT_EQ(away.wrong, 0) << Describe(problem);
    wrong += Solve(backend, problem).wrong;
  }
  EXPECT_GT(wrong, 0);
}

}  // namespace
}  // namespace qconform::kernels
