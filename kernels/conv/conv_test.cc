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

Problem Conv(int64_t inputs, int64_t outputs, int64_t size, int64_t kernel,
             int64_t stride, int64_t padding) {
  Problem p;
  p.group_inputs = inputs;
  p.group_outputs = outputs;
  for (int i = 0; i < 2; ++i) {
    p.input[i] = size;
    p.kernel[i] = kernel;
    p.stride[i] = stride;
    p.before[i] = p.after[i] = padding;
  }
  p.input_zero_point = 131;
  p.per_channel = true;
  p.input_layout = p.output_layout = Layout::kChannelsLast;
  p.threads = 2;
  return p;
}

TEST(Conv, RandomProblemsAreExactOnEveryPath) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    ExpectExact(kHalideBackend, RandomProblem(seed, QC_CONV));
  }
}

TEST(Conv, ByteKernelsAreExactWithoutVnni) {
  for (uint32_t seed = 1000; seed < 1300; ++seed) {
    ExpectExact(kBytesBackend, RandomProblem(seed, QC_CONV));
  }
}

TEST(Conv, ResNetShapes) {
  for (const std::string& file : {kHalideBackend, kBytesBackend}) {
    ExpectExact(file, Conv(3, 64, 33, 7, 2, 3));
    ExpectExact(file, Conv(64, 64, 15, 1, 1, 0));
    ExpectExact(file, Conv(64, 72, 15, 3, 1, 1));
    ExpectExact(file, Conv(64, 128, 14, 3, 2, 1));
    ExpectExact(file, Conv(128, 64, 14, 1, 2, 0));
    ExpectExact(file, Conv(512, 48, 7, 3, 1, 1));
  }
}

// CREPE: one long column, padded before and after by different amounts.
TEST(Conv, CrepeShapes) {
  Problem first;
  first.group_outputs = 128;
  first.input[0] = 1024;
  first.kernel[0] = 512;
  first.stride[0] = 4;
  first.before[0] = first.after[0] = 254;
  first.input_zero_point = 127;
  first.activation = QC_ACTIVATION_RELU;
  first.threads = 2;
  ExpectExact(kHalideBackend, first);
  Problem second = first;
  second.group_inputs = 128;
  second.group_outputs = 16;
  second.input[0] = 40;
  second.kernel[0] = 64;
  second.stride[0] = 1;
  second.before[0] = 31;
  second.after[0] = 32;
  second.batch = 2;
  ExpectExact(kHalideBackend, second);
  ExpectExact(kBytesBackend, second);
}

TEST(Conv, EvenKernelsAndLargeDilation) {
  Problem p = Conv(5, 7, 20, 4, 3, 6);
  p.dilation[0] = 5;
  p.dilation[1] = 4;
  p.after[1] = 0;
  ExpectExact(kHalideBackend, p);
}

TEST(Conv, ThreadsDoNotChangeTheBits) {
  const LoadedBackend backend(kHalideBackend);
  Problem p = Conv(48, 80, 21, 3, 1, 1);
  p.threads = 1;
  const Outcome one = Solve(backend, p);
  for (int threads : {2, 3, 7}) {
    p.threads = threads;
    EXPECT_EQ(Solve(backend, p).codes, one.codes) << threads;
  }
}

// The copy with one wrong rounding fails; that rounding is all that is wrong with it.
TEST(Conv, WrongRoundingIsCaught) {
  const LoadedBackend backend(kWrongRoundingBackend);
  int64_t wrong = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    const Problem problem = RandomProblem(seed, QC_CONV);
    const Outcome away = Solve(backend, problem, "away");
    ASSERT_EQ(away.failure, "");
    ASSERT_EQ(away.wrong, 0) << Describe(problem);
    wrong += Solve(backend, problem).wrong;
  }
  EXPECT_GT(wrong, 0);
}

}  // namespace
}  // namespace qconform::kernels
