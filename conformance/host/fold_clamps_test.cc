#include "conformance/host/fold_clamps.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "conformance/host/operator_call.h"
#include "conformance/host/test_program.h"
#include "reference/lower/run_program.h"

namespace qconform {
namespace {

bool Everything(const Program&, const ProgramOperator&) { return true; }

int AddCodes(Program& program, double scale, double zero_point) {
  ProgramValue value;
  value.name = "v" + std::to_string(program.values.size());
  value.dtype = DType::kUInt8;
  value.shape = {256};
  value.quantization = QuantizationParameters{{scale}, {zero_point}, -1};
  program.values.push_back(value);
  return static_cast<int>(program.values.size()) - 1;
}

// x + x, then the clamp, then again x + that.
Program SumThen(qc_operator_kind clamp, double clamp_scale = 0.05) {
  Program program;
  const int x = AddCodes(program, 0.05, 100);
  const int sum = AddCodes(program, 0.05, 90);
  const int clamped = AddCodes(program, clamp_scale, 90);
  const int end = AddCodes(program, 0.1, 3);
  AddStep(program, QC_ADD, {x, x}, sum);
  AddStep(program, clamp, {sum}, clamped);
  AddStep(program, QC_ADD, {clamped, x}, end);
  program.inputs = {x};
  program.outputs = {end};
  return program;
}

Tensor AllCodes() {
  Tensor codes(DType::kUInt8, {256});
  for (int i = 0; i < 256; ++i) codes.data<uint8_t>()[i] = static_cast<uint8_t>(i);
  return codes;
}

void ExpectSameOutputs(const Program& a, const Program& b) {
  const Tensor want = RunProgram(a, {AllCodes()}).at(0);
  const Tensor got = RunProgram(b, {AllCodes()}).at(0);
  EXPECT_EQ(std::memcmp(want.bytes(), got.bytes(), want.byte_size()), 0);
}

TEST(FoldClamps, BoundsOfTheOperatorBefore) {
  const Program program = SumThen(QC_RELU6);
  const Program folded = FoldClamps(program, Everything);
  ASSERT_EQ(folded.steps.size(), 2u);
  const auto& sum = std::get<ProgramOperator>(folded.steps[0]);
  EXPECT_EQ(sum.outputs, std::vector<int>{2});
  // 6 / 0.05 above the zero point.
  EXPECT_EQ(folded.values[2].quant_min, 90);
  EXPECT_EQ(folded.values[2].quant_max, 210);
  ExpectSameOutputs(program, folded);
  // The one that is given is as it was.
  EXPECT_EQ(program.steps.size(), 3u);
  EXPECT_EQ(program.values[2].quant_max, 0);
}

TEST(FoldClamps, OneAfterTheOther) {
  Program program = SumThen(QC_RELU);
  const int clipped = AddCodes(program, 0.05, 90);
  ProgramOperator& clip = AddStep(program, QC_CLAMP, {2}, clipped);
  clip.attributes.minimum = -1;
  clip.attributes.maximum = 2;
  std::swap(program.steps[2], program.steps[3]);
  std::get<ProgramOperator>(program.steps[3]).inputs[0] = clipped;
  const Program folded = FoldClamps(program, Everything);
  ASSERT_EQ(folded.steps.size(), 2u);
  EXPECT_EQ(folded.values[static_cast<size_t>(clipped)].quant_min, 90);
  EXPECT_EQ(folded.values[static_cast<size_t>(clipped)].quant_max, 130);
  ExpectSameOutputs(program, folded);
}

TEST(FoldClamps, StaysWhereSomethingElseIsDone) {
  // Another scale: the codes are no longer the same.
  EXPECT_EQ(FoldClamps(SumThen(QC_RELU6, 0.04), Everything).steps.size(), 3u);
  // Somebody reads what is clamped.
  Program read = SumThen(QC_RELU);
  std::get<ProgramOperator>(read.steps[2]).inputs[1] = 1;
  EXPECT_EQ(FoldClamps(read, Everything).steps.size(), 3u);
  Program output = SumThen(QC_RELU);
  output.outputs.push_back(1);
  EXPECT_EQ(FoldClamps(output, Everything).steps.size(), 3u);
  // Nobody's bounds: the caller's codes, and an operator that moves codes.
  Program input = SumThen(QC_RELU);
  std::get<ProgramOperator>(input.steps[0]).kind = QC_RESHAPE;
  EXPECT_EQ(FoldClamps(input, Everything).steps.size(), 3u);
}

TEST(FoldClamps, StaysWhereTheBackendWouldRefuse) {
  for (const int refused : {2, 3}) {  // what writes the clamped value, what reads it
    const Program folded =
        FoldClamps(SumThen(QC_RELU6), [&](const Program&, const ProgramOperator& step) {
          return step.outputs[0] != refused;
        });
    EXPECT_EQ(folded.steps.size(), 3u) << refused;
    EXPECT_EQ(folded.values[2].quant_max, 0);
    EXPECT_EQ(std::get<ProgramOperator>(folded.steps[0]).outputs[0], 1);
    ExpectSameOutputs(SumThen(QC_RELU6), folded);
  }
}

}  // namespace
}  // namespace qconform
