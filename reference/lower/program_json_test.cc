#include "reference/lower/program_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr char kProgram[] = R"({"format": "qconform.program/1",
"values": [
 {"name": "x", "dtype": "float32", "shape": [2]},
 {"name": "q", "dtype": "uint8", "shape": [2], "scale": 0.5, "zero_point": 3}],
"steps": [
 {"operator": "quantize", "node": "q", "nodes": ["q"], "attributes": {},
  "inputs": ["x"], "outputs": ["q"], "scheme": "real/one/even/bias_f32/zp_after"}],
"inputs": ["x"],
"outputs": ["q"]})";

Program Parse(const std::string& text) {
  const JsonFile file = JsonFile::Parse(text, "p");
  return ProgramFromJson(file.root(), file, {});
}

// The error of the program above with one piece of text replaced.
std::string ErrorWith(const std::string& from, const std::string& to) {
  std::string text = kProgram;
  const size_t place = text.find(from);
  if (place == std::string::npos) return "no such text";
  text.replace(place, from.size(), to);
  try {
    Parse(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ProgramJson, Reads) {
  const Program program = Parse(kProgram);
  ASSERT_EQ(program.values.size(), 2u);
  EXPECT_EQ(program.values[1].quantization->zero_point[0], 3);
  EXPECT_EQ(std::get<ProgramOperator>(program.steps[0]).kind, QC_QUANTIZE);
  EXPECT_EQ(program.outputs, std::vector<int>{1});
}

TEST(ProgramJson, MalformedProgramsSayWhereAndWhat) {
  EXPECT_EQ(ErrorWith("program/1", "program/2"),
            "p:1: the format is \"qconform.program/2\", expected "
            "\"qconform.program/1\"");
  EXPECT_EQ(ErrorWith("\"scale\": 0.5", "\"scale\": \"NaN\""),
            "p:4: a scale is \"NaN\", expected a finite positive number");
  EXPECT_EQ(ErrorWith("\"scale\": 0.5", "\"scale\": [0.5, 1]"),
            "p:4: the qparams do not fit the shape [2], expected one scale and zero "
            "point, or one a slice of axis");
  EXPECT_EQ(ErrorWith("\"name\": \"q\"", "\"name\": \"x\""),
            "p:4: the name 'x' stands twice, expected unique names");
  EXPECT_EQ(
      ErrorWith("\"inputs\": [\"x\"], \"outputs\"", "\"inputs\": [\"y\"], \"outputs\""),
      "p:7: there is no value \"y\", expected the name of a value");
  EXPECT_EQ(
      ErrorWith("\"inputs\": [\"x\"], \"outputs\"", "\"inputs\": [\"q\"], \"outputs\""),
      "p:6: 'q' is used before a step makes it, expected steps in execution order");
  EXPECT_EQ(
      ErrorWith("\"outputs\": [\"q\"], \"scheme\"", "\"outputs\": [\"x\"], \"scheme\""),
      "p:6: 'x' is made twice, expected one step, input or constant a value");
  EXPECT_EQ(ErrorWith("\"quantize\"", "\"quantise\""),
            "p:6: there is no operator 'quantise', expected a kind of the ABI");
  EXPECT_EQ(ErrorWith("\"attributes\": {}", "\"attributes\": {\"groop\": 1}"),
            "p:6: there is no attribute 'groop', expected a field of qc_attributes");
  EXPECT_EQ(ErrorWith("\"shape\": [2]}", "\"shape\": [2], \"constant\": true}"),
            "p:3: the constant 'x' has no tensor, expected one in the file of tensors");
  EXPECT_EQ(ErrorWith("\"uint8\"", "\"quint8\""),
            "p:4: value 'q' has the dtype quint8, expected a plain dtype such as uint8");
}

TEST(ProgramJson, KindsHaveNamesBothWays) {
  for (int kind = QC_CONV; kind <= QC_PAD; ++kind) {
    EXPECT_EQ(ParseOperatorKind(OperatorKindName(kind)),
              static_cast<qc_operator_kind>(kind));
  }
  EXPECT_EQ(OperatorKindName(QC_MAX_POOL), "max_pool");
  EXPECT_EQ(OperatorKindName(QC_PAD), "pad");
  EXPECT_EQ(OperatorKindName(0), "unknown");
  EXPECT_FALSE(ParseOperatorKind("unknown"));
}

TEST(ProgramJson, AttributesRoundTrip) {
  qc_attributes attributes{};
  attributes.size = sizeof(attributes);
  attributes.spatial_rank = 2;
  attributes.kernel[1] = 3;
  attributes.groups = 1LL << 40;
  attributes.alpha = 0.1f;
  attributes.maximum = std::numeric_limits<float>::infinity();
  attributes.axis_mask = 0xFFFFFFFFu;
  attributes.scale_factor[0] = 1.0 / 3.0;
  const ordered_json json = AttributesToJson(attributes);
  EXPECT_EQ(json.size(), 7u);
  const qc_attributes read = AttributesFromJson(json, "test");
  EXPECT_EQ(read.size, sizeof(qc_attributes));
  EXPECT_EQ(read.kernel[0], 0);
  EXPECT_EQ(read.kernel[1], 3);
  EXPECT_EQ(read.groups, 1LL << 40);
  EXPECT_EQ(read.alpha, 0.1f);
  EXPECT_TRUE(std::isinf(read.maximum));
  EXPECT_EQ(read.axis_mask, 0xFFFFFFFFu);
  EXPECT_EQ(read.scale_factor[0], 1.0 / 3.0);
}

}  // namespace
}  // namespace qconform
