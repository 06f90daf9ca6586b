// The shared object as a judge sees it: what it exports, declares and refuses.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "kernels/target/path.h"
#include "kernels/testing/backend_files.h"
#include "kernels/testing/problem.h"

namespace qconform::kernels {
namespace {

std::string Output(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 4096> buffer;
  for (size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    text.append(buffer.data(), n);
  }
  pclose(pipe);
  return text;
}

Problem Small() {
  Problem p;
  p.group_inputs = 8;
  p.group_outputs = 8;
  p.input[0] = p.input[1] = 4;
  return p;
}

// The reason of a refusal; "" if the problem was solved.
std::string Refusal(const Problem& problem, const Edit& edit = {}) {
  const LoadedBackend backend(kHalideBackend);
  const std::string failure = Solve(backend, problem, "even", edit).failure;
  const std::string prefix = "refused: ";
  EXPECT_TRUE(failure.empty() || failure.starts_with(prefix)) << failure;
  return failure.empty() ? "" : failure.substr(prefix.size());
}

TEST(Backend, ExportsOneSymbol) {
  const std::string symbols = Output("nm -D --defined-only " + kHalideBackend);
  EXPECT_NE(symbols.find(" T qconform_backend\n"), std::string::npos) << symbols;
  EXPECT_EQ(symbols.find('\n'), symbols.size() - 1) << symbols;
}

TEST(Backend, RefusesAnotherMajorVersion) {
  const LoadedBackend backend(kHalideBackend);
  EXPECT_EQ(backend.table().abi_major, uint32_t{QC_ABI_MAJOR});
  EXPECT_EQ(backend.entry()(QC_ABI_MAJOR + 1, 0), nullptr);
}

TEST(Backend, ConfigRowsNameTheirDTypes) {
  const LoadedBackend backend(kHalideBackend);
  const auto config = nlohmann::json::parse(backend.table().config);
  EXPECT_EQ(config.at("name"), "halide");
  std::set<std::string> weighted;
  for (const auto& row : config.at("configs")) {
    EXPECT_FALSE(row.at("dtype_configs").empty());
    std::set<std::string> weights, biases;
    for (const auto& dtypes : row.at("dtype_configs")) {
      if (!dtypes.contains("bias_dtype")) continue;
      weights.insert(dtypes.at("weight_dtype").at("dtype"));
      biases.insert(dtypes.at("bias_dtype"));
    }
    if (biases.empty()) continue;
    EXPECT_EQ(weights, (std::set<std::string>{"torch.qint8", "torch.quint8"}));
    EXPECT_EQ(biases, (std::set<std::string>{"torch.float32", "torch.qint32"}));
    const auto& pattern = row.at("pattern");
    weighted.insert(pattern.is_array() ? pattern.at(0) : pattern);
  }
  std::set<std::string> expected = {"torch.nn.Linear", "torch.nn.functional.linear",
                                    "torch.ao.nn.intrinsic.LinearReLU"};
  for (const std::string d : {"1d", "2d", "3d"}) {
    expected.insert({"torch.nn.Conv" + d, "torch.nn.functional.conv" + d,
                     "torch.ao.nn.intrinsic.ConvReLU" + d, "torch.nn.ConvTranspose" + d,
                     "torch.nn.functional.conv_transpose" + d});
  }
  EXPECT_EQ(weighted, expected);
}

TEST(Backend, ForcedPathRunsOrIsRefused) {
  const LoadedBackend backend(kHalideBackend);
  for (const char* name : {"sse41", "avx2", "avx512", "avx512vnni", "neon", "dotprod"}) {
    setenv("QCONFORM_ISA", name, 1);
    const Outcome outcome = Solve(backend, Small());
    if (CanRun(*PathNamed(name), DetectedCpuFeatures())) {
      EXPECT_EQ(outcome.failure, "");
      EXPECT_EQ(outcome.path, name);
    } else {
      EXPECT_NE(outcome.failure.find("cannot run on this machine"), std::string::npos);
    }
  }
  setenv("QCONFORM_ISA", "avx1024", 1);
  EXPECT_NE(Refusal(Small()).find("is no path, expected"), std::string::npos);
  unsetenv("QCONFORM_ISA");
  EXPECT_EQ(Refusal(Small()), "");
}

TEST(Backend, RefusesInWords) {
  const auto attributes = [](auto change) {
    return Edit([change](qc_descriptor&, qc_attributes& a, qc_tensor*) { change(a); });
  };
  const auto tensor = [](int index, auto change) {
    return Edit([=](qc_descriptor&, qc_attributes&, qc_tensor* t) { change(t[index]); });
  };
  EXPECT_EQ(Refusal(Small(), attributes([](qc_attributes& a) { a.spatial_rank = 3; })),
            "the ranks do not fit the spatial rank");
  EXPECT_EQ(Refusal(Small(), attributes([](qc_attributes& a) { a.residual = 1; })),
            "residual and input 3 disagree");
  EXPECT_EQ(Refusal(Small(), attributes([](qc_attributes& a) { a.groups = 3; })),
            "the channels do not divide into the groups");
  EXPECT_EQ(Refusal(Small(), tensor(0, [](qc_tensor& t) { t.dtype = QC_F32; })),
            "input 0 has scales but no codes");
  EXPECT_EQ(Refusal(Small(), tensor(1, [](qc_tensor& t) { t.dtype = QC_S16; })),
            "the weight is not u8 or s8 per tensor or per output channel");
  EXPECT_EQ(Refusal(Small(), tensor(2, [](qc_tensor& t) { t.dtype = QC_S16; })),
            "output codes are neither u8 nor s8");
  EXPECT_EQ(Refusal(Small(), tensor(2, [](qc_tensor& t) { t.scale = nullptr; })),
            "the output is neither codes per tensor nor f32 nor s32");
  EXPECT_EQ(Refusal(Small(), tensor(2, [](qc_tensor& t) { t.shape[2] = 9; })),
            "the output has size 9, expected 4");
  EXPECT_EQ(Refusal(Small(), Edit([](qc_descriptor& d, qc_attributes&, qc_tensor*) {
                      d.kind = static_cast<qc_operator_kind>(99);
                    })),
            "no kernel computes this operator");
  EXPECT_EQ(Refusal(Small(), Edit([](qc_descriptor& d, qc_attributes&, qc_tensor*) {
                      d.scheme = "real_divide/one/even/bias_f32/zp_after";
                    })),
            "schemes are those of accumulators and real/one/even/bias_f32/zp_after");
}

TEST(Backend, PrintsNothing) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  setenv("QCONFORM_ISA", "nonsense", 1);
  Refusal(Small());
  unsetenv("QCONFORM_ISA");
  Refusal(Small());
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace qconform::kernels
