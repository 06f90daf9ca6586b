// A small program as a golden: quantize, a padded convolution, dequantize.
#include "conformance/cases/golden_cases.h"

#include <gtest/gtest.h>

#include <map>

#include "conformance/cases/subject_config.h"
#include "conformance/host/operator_call.h"
#include "conformance/saboteurs/saboteur_files.h"
#include "conformance/verdict/session.h"
#include "reference/lower/run_program.h"

namespace qconform {
namespace {

constexpr const char* kScheme = "f32/one/even/bias_f32/zp_after";
constexpr const char* kReal = "real/one/even/bias_f32/zp_after";

ProgramValue Value(const std::string& name, DType dtype, Shape shape, double scale,
                   double zero_point) {
  ProgramValue value;
  value.name = name;
  value.dtype = dtype;
  value.shape = std::move(shape);
  if (scale > 0) value.quantization = QuantizationParameters{{scale}, {zero_point}, -1};
  return value;
}

ProgramOperator Operator(qc_operator_kind kind, std::vector<int> inputs, int output,
                         const std::string& node, const char* scheme) {
  ProgramOperator op{};
  op.kind = kind;
  op.attributes = EmptyAttributes();
  op.inputs = std::move(inputs);
  op.outputs = {output};
  op.node = node;
  op.scheme = scheme;
  return op;
}

std::shared_ptr<const Golden> SmallGolden() {
  auto golden = std::make_shared<Golden>();
  golden->manifest.source.model = "small";
  golden->manifest.source.config = "x86";
  Program& program = golden->program;
  program.values = {Value("x", DType::kFloat32, {1, 2, 4, 4}, 0, 0),
                    Value("x_codes", DType::kUInt8, {1, 2, 4, 4}, 0.125, 9),
                    Value("conv.weight", DType::kInt8, {3, 2, 3, 3}, 0.0625, 0),
                    Value("conv", DType::kUInt8, {1, 3, 4, 4}, 0.25, 17),
                    Value("out", DType::kFloat32, {1, 3, 4, 4}, 0, 0)};
  Tensor weight(DType::kInt8, {3, 2, 3, 3});
  for (int i = 0; i < 54; ++i)
    weight.data<int8_t>()[i] = static_cast<int8_t>(i * 37 % 61 - 25);
  program.values[2].constant = weight;
  program.steps.emplace_back(Operator(QC_QUANTIZE, {0}, 1, "quantize", kReal));
  program.steps.emplace_back(Operator(QC_CONV, {1, 2}, 3, "conv", kScheme));
  program.steps.emplace_back(Operator(QC_DEQUANTIZE, {3}, 4, "dequantize", kReal));
  qc_attributes& a = std::get<ProgramOperator>(program.steps[1]).attributes;
  a.spatial_rank = 2;
  a.groups = 1;
  for (int d = 0; d < 2; ++d) {
    a.kernel[d] = 3;
    a.stride[d] = a.dilation[d] = a.padding_before[d] = a.padding_after[d] = 1;
  }
  program.inputs = {0};
  program.outputs = {4};
  Tensor x(DType::kFloat32, {1, 2, 4, 4});
  for (int i = 0; i < 32; ++i) x.data<float>()[i] = static_cast<float>(i % 7) * 0.5f;
  const std::vector<Tensor> values = RunProgramValues(program, {x});
  for (size_t i = 0; i < values.size(); ++i)
    if (!program.values[i].constant)
      golden->values.Set(program.values[i].name, values[i]);
  return golden;
}

std::map<std::string, CaseRecord> RunOn(const std::filesystem::path& file,
                                        const std::vector<CaseSource>& cases) {
  Worker worker(file, TestWorkerOptions());
  Subject subject{worker, IdentityOf(worker, file)};
  const auto config = ConfigOf(worker.Load(), "");
  if (config) subject.config = &config->config;
  std::map<std::string, CaseRecord> records;
  SessionOptions options;
  options.on_record = [&](const CaseRecord& record, size_t, size_t) {
    records[record.id] = record;
  };
  RunSession(cases, subject, options);
  return records;
}

constexpr const char* kConv = "small.x86/conv2d.u8s8u8.per_tensor/conv/real";
constexpr const char* kEndToEnd = "small.x86/program/end_to_end/real";

TEST(GoldenCases, TheReferenceBehindTheAbiPasses) {
  const auto cases = GoldenCases(SmallGolden());
  ASSERT_EQ(cases.size(), 4u);
  const auto records = RunOn(QCONFORM_SCALAR_BACKEND, cases);
  for (const auto& [id, record] : records)
    EXPECT_EQ(record.verdict, Verdict::kPass) << nlohmann::ordered_json(record).dump(1);
  EXPECT_EQ(records.at(kConv).path, "scalar");
  EXPECT_FALSE(records.at(kConv).row.empty());
  EXPECT_EQ(records.at(kEndToEnd).backend_operators, 1);
  EXPECT_EQ(records.at(kEndToEnd).reference_operators, 2);
}

TEST(GoldenCases, TheFirstDivergingNodeIsNamed) {
  const auto records =
      RunOn(SaboteurFile("saboteur_raw_zero_padding"), GoldenCases(SmallGolden()));
  EXPECT_EQ(records.at(kConv).verdict, Verdict::kFail);
  EXPECT_EQ(records.at(kConv).cause, "padding");
  const CaseRecord& end = records.at(kEndToEnd);
  EXPECT_EQ(end.verdict, Verdict::kFail);
  ASSERT_FALSE(end.details.empty());
  EXPECT_NE(end.details[0].find("node conv is the first"), std::string::npos)
      << end.details[0];
  EXPECT_EQ(records.at("small.x86/quantize.f32u8/quantize/real").verdict,
            Verdict::kRefused);
}

TEST(GoldenCases, ACrashInTheMiddleIsTold) {
  const auto records =
      RunOn(SaboteurFile("saboteur_crash_in_run"), GoldenCases(SmallGolden()));
  const CaseRecord& end = records.at(kEndToEnd);
  EXPECT_EQ(end.verdict, Verdict::kCrash);
  EXPECT_EQ(end.signal, "SIGSEGV");
  EXPECT_EQ(end.details[0], "in node conv");
}

}  // namespace
}  // namespace qconform
