// A small program as a golden: quantize, a padded convolution, dequantize.
#include "conformance/cases/golden_cases.h"

#include <gtest/gtest.h>

#include <map>

#include "conformance/cases/golden_end_to_end.h"
#include "conformance/cases/subject_config.h"
#include "conformance/compare/declared_target.h"
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

std::shared_ptr<Golden> SmallGolden() {
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
  EXPECT_NE(end.details[0].find("node conv is the first that leaves its allowed set: y["),
            std::string::npos)
      << end.details[0];
  EXPECT_EQ(records.at("small.x86/quantize.f32u8/quantize/real").verdict, Verdict::kPass);
}

TEST(GoldenCases, ACrashInTheMiddleIsTold) {
  const auto records =
      RunOn(SaboteurFile("saboteur_crash_in_run"), GoldenCases(SmallGolden()));
  const CaseRecord& end = records.at(kEndToEnd);
  EXPECT_EQ(end.verdict, Verdict::kCrash);
  EXPECT_EQ(end.signal, "SIGSEGV");
  EXPECT_EQ(end.details[0], "in node conv");
}

// Two layers; the second is wrong, on codes that the first changed within its set.
std::shared_ptr<const Golden> TwoLayers() {
  std::shared_ptr<Golden> golden = SmallGolden();
  Program& program = golden->program;
  program.values.insert(program.values.end(),
                        {Value("fc.weight", DType::kInt8, {5, 48}, 0.5, 0),
                         Value("flat", DType::kUInt8, {1, 48}, 0.25, 17),
                         Value("fc", DType::kUInt8, {1, 5}, 8, 100),
                         Value("logits", DType::kFloat32, {1, 5}, 0, 0)});
  Tensor weight(DType::kInt8, {5, 48});
  for (int i = 0; i < 240; ++i)
    weight.data<int8_t>()[i] = static_cast<int8_t>(i * 53 % 71 - 31);
  program.values[5].constant = weight;
  program.steps.emplace_back(Operator(QC_RESHAPE, {3}, 6, "flatten", "copy"));
  program.steps.emplace_back(Operator(QC_LINEAR, {6, 5}, 7, "fc", kScheme));
  program.steps.emplace_back(Operator(QC_DEQUANTIZE, {7}, 8, "dequantize", kReal));
  program.outputs = {8};
  const std::vector<Tensor> values =
      RunProgramValues(program, {*golden->values.Find("x")});
  for (size_t i = 0; i < values.size(); ++i)
    if (!program.values[i].constant)
      golden->values.Set(program.values[i].name, values[i]);
  return golden;
}

CaseRecord EndToEnd(const Golden& golden, DeclaredTarget target) {
  return RunEndToEnd(golden, {target, {}, nullptr});
}

TEST(GoldenEndToEnd, EveryNodeIsJudgedOnWhatTheOthersGave) {
  const auto golden = TwoLayers();
  const CaseRecord own = EndToEnd(*golden, DeclaredTarget("", "="));
  EXPECT_EQ(own.verdict, Verdict::kPass) << nlohmann::ordered_json(own).dump(1);
  EXPECT_FALSE(own.accuracy.contains("sqnr_golden_db")) << "there is no noise";
  EXPECT_EQ(own.accuracy.at("top1_agreement"), 1);
  EXPECT_EQ(own.details[0],
            "SQNR to the golden: no noise; the golden does not hold the float model; "
            "top-1 as the golden in 1 of 1 rows");

  // Rounds ties of the convolution to the other side: what follows sees other codes, and
  // is right on them.
  const auto other_ties = [](const OperatorCall& call, std::vector<Bytes>& y) {
    if (call.kind == QC_CONV)
      y = *ReferenceOutputs(call, "f32/one/up/bias_f32/zp_before");
  };
  const CaseRecord bounded = EndToEnd(*golden, DeclaredTarget("", "", other_ties));
  EXPECT_EQ(bounded.verdict, Verdict::kPass) << nlohmann::ordered_json(bounded).dump(1);
  EXPECT_GT(bounded.differing_elements, 0);
  EXPECT_EQ(bounded.bound.find("in node quantize: float32"), 0u) << bounded.bound;
}

TEST(GoldenEndToEnd, TheFirstNodeOutsideIsNamed) {
  const auto wrong_layer = [](const OperatorCall& call, std::vector<Bytes>& y) {
    if (call.kind == QC_CONV)
      y = *ReferenceOutputs(call, "f32/one/up/bias_f32/zp_before");
    if (call.kind == QC_LINEAR) y[0][2] ^= std::byte{16};
  };
  const CaseRecord record = EndToEnd(*TwoLayers(), DeclaredTarget("", "", wrong_layer));
  EXPECT_EQ(record.verdict, Verdict::kFail);
  EXPECT_EQ(record.cause, "first diverging node");
  EXPECT_EQ(record.wrong_elements, 1);
  EXPECT_EQ(record.details[0].find(
                "node fc is the first that leaves its allowed set: y[0,2] got "),
            0u)
      << record.details[0];
  EXPECT_NE(record.details[0].find("from the tie, allowed"), std::string::npos);
  EXPECT_GT(record.accuracy.at("sqnr_golden_db"), 0);
}

// The digits' golden holds the float model.
TEST(GoldenEndToEnd, AccuracyIsMeasuredAgainstTheFloatModel) {
  const Golden golden =
      ReadGolden(std::string(QCONFORM_SOURCE_DIR) + "/datasets/goldens/digits/x86");
  const CaseRecord own = EndToEnd(golden, DeclaredTarget("", "="));
  EXPECT_EQ(own.verdict, Verdict::kPass) << nlohmann::ordered_json(own).dump(1);
  EXPECT_EQ(own.accuracy.at("sqnr_float_db"), own.accuracy.at("sqnr_golden_float_db"));
  EXPECT_GT(own.accuracy.at("sqnr_float_db"), 20);
  EXPECT_EQ(own.accuracy.at("top1_agreement_float"), 1);
  const std::string& line = own.details[0];
  EXPECT_NE(line.find(" dB (the golden's own: "), std::string::npos) << line;
}

}  // namespace
}  // namespace qconform
