#include "conformance/probe/operator_question.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "conformance/cases/build_call.h"
#include "conformance/cases/suite_row.h"
#include "conformance/host/code_element.h"
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
    {"add", "xxx", "", "i1024.zx3.zw5.zy7"},
    {"sub", "xxx", "", "i1024.zx3.zw5.zy7"},
    {"mul", "xxx", "", "i1024.zx3.zw5.zy7"},
    {"matmul", "xxx", "", "a16x5.b5x16.zx3.zw5.zy7"},
    {"relu", "xx", "", "i1024.zx3.zy7"},
    {"relu6", "xx", "", "i1024.zx3.zy7"},
    {"clamp", "xx", "", "i1024.minm1000.max1000.zx3.zy7"},
    {"leaky_relu", "xx", "", "i1024.alpha0_25.zx3.zy7"},
    {"elu", "xx", "", "i1024.alpha1.zx3.zy7"},
    {"hardswish", "xx", "", "i1024.zx3.zy7"},
    {"hardsigmoid", "xx", "", "i1024.zx3.zy7"},
    {"sigmoid", "xx", "", "i1024.zx3.zy7"},
    {"tanh", "xx", "", "i1024.zx3.zy7"},
    {"gelu", "xx", "", "i1024.zx3.zy7"},
    {"softmax", "xx", "", "i64x16.axis1.zx3.zy7"},
    {"batch_norm", "xx", "", "i2x8x8x8.zx3.zy7"},
    {"instance_norm", "xx", "", "i2x8x8x8.zx3.zy7"},
    {"group_norm", "xx", "", "i2x8x8x8.groups2.zx3.zy7"},
    {"layer_norm", "xx", "", "i8x8x16.axis2.zx3.zy7"},
    {"max_pool2d", "xx", "", "n1.c16.i16x16.k2x2.s2x2.zx3.zy7"},
    {"avg_pool1d", "xx", "", "n1.c32.i64.k2.s2.zx3.zy7"},
    {"avg_pool2d", "xx", "", "n1.c16.i16x16.k2x2.s2x2.zx3.zy7"},
    {"avg_pool3d", "xx", "", "n1.c16.i8x8x8.k2x2x2.s2x2x2.zx3.zy7"},
    {"adaptive_avg_pool", "xx", "", "n1.c16.i16x16.out8x8.zx3.zy7"},
    {"mean", "xx", "", "i512x4.axes1.zx3.zy7"},
    {"concat", "xx", "", "i32x16.parts8x8.axis1.zs3.zy7"},
    {"upsample", "xx", ".bilinear", "n1.c16.i4x4.out8x8.zx3.zy7"},
    {"reshape", "xx", "", "i32x32.out1024.zx3.zy7"},
    {"transpose", "xx", "", "i32x32.axes1x0.zx3.zy7"},
    {"quantize", "fx", "", "i1024.zy7"},
    {"requantize_codes", "xx", "", "i1024.zx3.zy7"},
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

namespace {

// Scales of one question: powers of two, where values lie at halves; quotients of small
// numbers, whose reciprocals are not exact but whose values still lie there; arbitrary.
class Scales {
 public:
  Scales(const FillStream& stream, uint64_t number)
      : stream_(stream), kind_(number % 3) {}

  float Next() {
    if (kind_ == 0) return std::ldexp(1.0f, -static_cast<int>(Below(5)));
    if (kind_ == 1) return static_cast<float>(1 + Below(15)) / 64.0f;
    return static_cast<float>(0.01 + 0.09 * stream_.UniformAt(next_++));
  }
  // The next one of its kind that is not below a scale that fits the values.
  float Output(float fitting) {
    if (kind_ == 0) return std::exp2(std::ceil(std::log2(fitting)));
    if (kind_ == 1) {
      const float step = fitting < 1.0f ? 1.0f / 64.0f : 1.0f;
      return step * 2 * (std::ceil(fitting / step / 2) + static_cast<float>(Below(8)));
    }
    return fitting;
  }
  uint64_t Below(uint64_t bound) { return stream_.At(next_++) % bound; }

 private:
  const FillStream& stream_;
  uint64_t kind_;
  uint64_t next_ = 0;
};

// Values at halves of the output's steps, and the floats beside them.
void SetHalves(CallTensor& x, float scale) {
  for (size_t i = 0; i < x.data.size() / sizeof(float); ++i) {
    const auto step = static_cast<float>(static_cast<int>(i / 3) % 121 - 60) * 0.5f;
    float value = step * scale;
    if (i % 3 == 1) value = std::nextafter(value, 0.0f);
    if (i % 3 == 2) value = std::nextafter(value, 2 * value);
    std::memcpy(x.data.data() + i * sizeof value, &value, sizeof value);
  }
}

}  // namespace

OperatorCall OperatorQuestion(const std::string& id, uint64_t number) {
  SuiteRow row = RowFromId(id);
  const FillStream stream(id, std::to_string(number));
  Scales scales(stream, number);
  const int64_t lowest = row.y == QC_S8 ? -128 : 0;
  const auto zero_point = [&] {
    return lowest + 60 + static_cast<int64_t>(scales.Below(136));
  };
  if (IsCode(row.x)) {
    row.zx = zero_point();
    row.sx = {scales.Next()};
  }
  if (IsCode(row.w)) {
    row.zw = {zero_point()};
    row.sw = {scales.Next()};
  }
  row.zy = zero_point();
  for (int64_t& each : row.zs) each = zero_point();
  if (!IsCode(row.x)) row.sy = {scales.Next()};
  OperatorCall call = BuildCall(row);
  CallTensor& y = call.outputs[0];
  if (IsCode(row.x)) {
    y.scale[0] = scales.Output(y.scale[0]);
  } else {
    SetHalves(*call.inputs[0], y.scale[0]);
  }
  call.scheme.clear();
  return call;
}

}  // namespace qconform
