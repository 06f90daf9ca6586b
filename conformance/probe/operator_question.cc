#include "conformance/probe/operator_question.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "conformance/cases/build_call.h"
#include "conformance/cases/suite_row.h"
#include "datasets/fills.h"

namespace qconform {
namespace {

// An id: operator, dtypes, words behind them, shape.
struct Line {
  const char* name;
  const char* operands;  // x: codes, f: f32; inputs, then the output
  const char* words;     // behind the dtypes
  const char* shape;
};

constexpr Line kLines[] = {
    {"add", "xxx", "", "i64.zx3.zw5.zy7"},
    {"sub", "xxx", "", "i64.zx3.zw5.zy7"},
    {"mul", "xxx", "", "i64.zx3.zw5.zy7"},
    {"matmul", "xxx", "", "a4x5.b5x6.zx3.zw5.zy7"},
    {"relu", "xx", "", "i64.zx3.zy7"},
    {"relu6", "xx", "", "i64.zx3.zy7"},
    {"clamp", "xx", "", "i64.minm1000.max1000.zx3.zy7"},
    {"leaky_relu", "xx", "", "i64.alpha0_25.zx3.zy7"},
    {"elu", "xx", "", "i64.alpha1.zx3.zy7"},
    {"hardswish", "xx", "", "i64.zx3.zy7"},
    {"hardsigmoid", "xx", "", "i64.zx3.zy7"},
    {"sigmoid", "xx", "", "i64.zx3.zy7"},
    {"tanh", "xx", "", "i64.zx3.zy7"},
    {"gelu", "xx", "", "i64.zx3.zy7"},
    {"softmax", "xx", "", "i8x8.axis1.zx3.zy7"},
    {"batch_norm", "xx", "", "i2x4x4x4.zx3.zy7"},
    {"instance_norm", "xx", "", "i2x4x4x4.zx3.zy7"},
    {"group_norm", "xx", "", "i2x4x4x4.groups2.zx3.zy7"},
    {"layer_norm", "xx", "", "i4x4x8.axis2.zx3.zy7"},
    {"max_pool2d", "xx", "", "n1.c4.i8x8.k2x2.s2x2.zx3.zy7"},
    {"avg_pool1d", "xx", "", "n1.c8.i16.k2.s2.zx3.zy7"},
    {"avg_pool2d", "xx", "", "n1.c4.i8x8.k2x2.s2x2.zx3.zy7"},
    {"avg_pool3d", "xx", "", "n1.c2.i4x4x4.k2x2x2.s2x2x2.zx3.zy7"},
    {"adaptive_avg_pool", "xx", "", "n1.c4.i8x8.out4x4.zx3.zy7"},
    {"mean", "xx", "", "i16x4.axes1.zx3.zy7"},
    {"concat", "xx", "", "i4x16.parts8x8.axis1.zs3.zy7"},
    {"upsample", "xx", ".bilinear", "n1.c2.i4x4.out8x8.zx3.zy7"},
    {"reshape", "xx", "", "i8x8.out64.zx3.zy7"},
    {"transpose", "xx", "", "i8x8.axes1x0.zx3.zy7"},
    {"quantize", "fx", "", "i64.zy7"},
    {"requantize_codes", "xx", "", "i64.zx3.zy7"},
};

std::string DTypes(const char* operands, const char* code) {
  std::string text;
  for (const char* each = operands; *each != '\0'; ++each)
    text += *each == 'f' ? "f32" : code;
  return text;
}

}  // namespace

const std::vector<OperatorTemplate>& OperatorTemplates() {
  static const auto* templates = [] {
    auto* built = new std::vector<OperatorTemplate>;
    for (const Line& line : kLines) {
      // The operator of that name; `probe --op requantize` asks for accumulators.
      const std::string name = line.name == std::string("requantize_codes")
                                   ? "requantize"
                                   : std::string(line.name);
      OperatorTemplate each{line.name, {}};
      for (const char* code : {"u8", "s8"})
        each.ids.push_back("probe/" + name + "." + DTypes(line.operands, code) +
                           line.words + "/" + line.shape + "/uniform");
      built->push_back(std::move(each));
    }
    return built;
  }();
  return *templates;
}

OperatorCall OperatorQuestion(const std::string& id, uint64_t number) {
  SuiteRow row = RowFromId(id);
  const FillStream stream(id, std::to_string(number));
  uint64_t next = 0;
  const auto below = [&](uint64_t bound) {
    return static_cast<int64_t>(stream.At(next++) % bound);
  };
  const bool is_signed = row.y == QC_S8;
  const auto zero_point = [&] { return 60 + below(136) - (is_signed ? 128 : 0); };
  const bool codes_in = row.x == QC_U8 || row.x == QC_S8;
  if (codes_in) row.zx = zero_point();
  if (row.w == QC_U8 || row.w == QC_S8) row.zw = zero_point();
  row.zy = zero_point();
  for (int64_t& each : row.zs) each = zero_point();
  const bool powers = number % 2 == 0;
  const auto scale = [&] {
    if (powers) return std::ldexp(1.0f, -static_cast<int>(below(5)));
    return static_cast<float>(0.01 + 0.09 * stream.UniformAt(next++));
  };
  if (codes_in) row.sx = {scale()};
  if (row.w == QC_U8 || row.w == QC_S8) row.sw = {scale()};
  if (powers && number % 4 == 0 && codes_in) {
    row.sy = {row.sx[0] * std::ldexp(1.0f, static_cast<int>(below(4)))};
  } else if (!codes_in) {
    row.sy = {scale()};
  }
  // Otherwise one is chosen that fits the values.
  OperatorCall call = BuildCall(row);
  if (powers) {
    float& output = call.outputs[0].scale[0];
    output = std::exp2(std::rint(std::log2(output)));
  }
  call.scheme.clear();
  return call;
}

}  // namespace qconform
