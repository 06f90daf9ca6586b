#include "conformance/contract/kernel/shape_calls.h"

#include <fmt/format.h>

#include "conformance/cases/build_call.h"
#include "conformance/cases/suite_row.h"
#include "conformance/contract/kernel/live_call.h"

namespace qconform {
namespace {

// The last parts of a case id.
struct Line {
  const char* operator_name;
  const char* name;
  const char* shape;
};

// The group's reach is no vector's, strides and paddings differ from axis to axis, and no
// side is a multiple of four.
constexpr Line kLines[] = {
    {"linear", "beyond_64_channels", "m3.k33.n70"},
    {"linear", "beyond_128_inputs", "m3.k133.n9"},
    {"conv1d", "strided_groups", "n1.c6.i11.o10.k3.s2.p1.g2"},
    {"conv1d", "depthwise", "n2.c5.i9.o10.k3.d2.p0_1.g5"},
    {"conv1d", "beyond_64_channels", "n1.c5.i7.o70.k1.s2"},
    {"conv2d", "strided_groups", "n1.c6.i9x7.o10.k3x3.s2x2.p1x0.g2"},
    {"conv2d", "depthwise", "n2.c5.i7x6.o10.k3x2.s1x2.d2x1.p0x1_1x1.g5"},
    {"conv2d", "beyond_64_channels", "n1.c5.i5x3.o70.k1x1.s2x2"},
    {"conv2d", "beyond_128_inputs", "n1.c133.i4x3.o7.k3x2.s2x1.p1x0"},
    {"conv3d", "strided_groups", "n1.c6.i5x5x3.o10.k3x2x1.s2x2x2.p1x0x0.g2"},
    {"conv3d", "beyond_64_channels", "n1.c5.i3x2x3.o70.k1x1x1.s2x1x2"},
    {"conv_transpose1d", "strided_groups", "n1.c6.i5.o10.k3.s2.p1.op1.g2"},
    {"conv_transpose1d", "beyond_64_channels", "n1.c5.i3.o70.k2"},
    {"conv_transpose2d", "strided_groups", "n1.c6.i5x4.o10.k3x2.s2x2.p1x0.op1x0.g2"},
    {"conv_transpose2d", "beyond_64_channels", "n1.c5.i3x2.o70.k2x1"},
    {"conv_transpose3d", "strided_groups",
     "n1.c6.i3x2x3.o10.k3x2x1.s2x2x2.p1x0x0.op1x0x0.g2"},
    {"conv_transpose3d", "beyond_64_channels", "n1.c5.i2x3x2.o70.k2x1x1"},
};

std::string WordsOf(const OperatorCall& like) {
  const auto& inputs = like.inputs;
  std::string words = inputs[1]->axis < 0 ? ".per_tensor" : ".per_channel";
  words += inputs.size() > 2 && inputs[2] ? ".bias_f32" : ".bias_none";
  if (like.attributes.activation == QC_ACTIVATION_RELU) words += ".relu";
  if (like.attributes.residual != 0) words += ".residual";
  return words;
}

}  // namespace

std::vector<ShapeCall> ShapeCalls(const OperatorCall& like, const DTypeConfig& config) {
  std::vector<ShapeCall> calls;
  const std::string name = OperatorName(like.kind, like.attributes);
  for (const Line& line : kLines) {
    if (name != line.operator_name) continue;
    const SuiteRow row = RowFromId(fmt::format(
        "contract/{}.u8s8u8{}/{}.zx131.zy7/uniform", name, WordsOf(like), line.shape));
    OperatorCall call = BuildCall(row);
    if (FitLive(config, call).empty()) calls.push_back({line.name, std::move(call)});
  }
  return calls;
}

}  // namespace qconform
