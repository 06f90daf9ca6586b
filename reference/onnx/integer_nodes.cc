// Convolutions and linear layers over codes. QLinearConv and QLinearMatMul leave the
// rounding to the runtime; ConvInteger and MatMulInteger accumulate exactly, and the
// requantization behind them is spelled out in exactly defined steps:
//   Add(s32) -> Cast(float) -> Add(f32) -> Mul(m) -> QuantizeLinear by 1 -> Clip
// which is f32/one/even, with the bias in integers (bias_s32) or in float (bias_f32).
#include <algorithm>
#include <cmath>

#include "reference/numerics/requantize.h"
#include "reference/numerics/scheme.h"
#include "reference/onnx/weighted_nodes.h"

namespace qconform {
namespace {

constexpr int64_t kOnnxFloat = 1;

bool HasCodes(const ProgramValue& value) {
  return IsQuantized(value) && !value.float_zero_point &&
         (value.dtype == DType::kUInt8 || value.dtype == DType::kInt8);
}

bool IsAccumulator(const ProgramValue& value) {
  return value.dtype == DType::kInt32 && !IsQuantized(value);
}

// Codes in and out, and nothing between that is not a bound.
bool IsInteger(const NodeWriter& writer) {
  const ProgramValue& y = writer.Output();
  return HasCodes(writer.Input(0)) && HasCodes(writer.Input(1)) &&
         writer.attributes().dynamic == 0 && writer.attributes().residual == 0 &&
         writer.Input(1).constant.has_value() &&
         (!writer.HasInput(2) || writer.Input(2).constant.has_value()) &&
         (IsAccumulator(y) || (HasCodes(y) && y.quantization->axis < 0 &&
                               IsBoundActivation(writer.attributes())));
}

// One output channel's constants, as ChannelRequantizer has them.
struct ChannelConstants {
  std::vector<float> multiplier;
  std::vector<int32_t> bias_codes;  // added in integers; empty: none
  std::vector<float> bias_terms;    // added in float; empty: none
};

ChannelConstants ConstantsOf(const NodeWriter& writer, bool rounded_bias) {
  const ProgramValue& w = writer.Input(1);
  const ProgramValue& y = writer.Output();
  const auto outputs = static_cast<size_t>(w.shape[0]);
  const auto in = static_cast<float>(writer.Input(0).quantization->scale[0]);
  ChannelConstants constants;
  for (size_t o = 0; o < outputs; ++o) {
    const auto& scales = w.quantization->scale;
    const float product = in * static_cast<float>(scales[scales.size() == 1 ? 0 : o]);
    if (IsQuantized(y)) {
      constants.multiplier.push_back(product /
                                     static_cast<float>(y.quantization->scale[0]));
    }
    if (!writer.HasInput(2)) continue;
    const Tensor& bias = *writer.Input(2).constant;
    if (bias.dtype() == DType::kInt32) {
      const int32_t code = bias.data<int32_t>()[o];
      if (rounded_bias) constants.bias_codes.push_back(code);
      if (!rounded_bias) constants.bias_terms.push_back(static_cast<float>(code));
      continue;
    }
    const float term = bias.data<float>()[o] / product;
    if (rounded_bias)
      constants.bias_codes.push_back(RoundToInt32(static_cast<double>(term)));
    if (!rounded_bias) constants.bias_terms.push_back(term);
  }
  return constants;
}

// [O, 1, 1] behind a convolution, [O] behind a linear layer.
Shape ChannelShape(const NodeWriter& writer) {
  Shape shape = {writer.Input(1).shape[0]};
  if (writer.step().kind == QC_CONV)
    shape.resize(1 + writer.Input(1).shape.size() - 2, 1);
  return shape;
}

void StoreRequantized(NodeWriter& writer, std::string accumulator, bool rounded_bias) {
  const ChannelConstants constants = ConstantsOf(writer, rounded_bias);
  const Shape shape = ChannelShape(writer);
  if (!constants.bias_codes.empty()) {
    accumulator = writer.Node(
        "Add", {accumulator,
                writer.Constant("bias.codes", Tensor::FromVector(DType::kInt32, shape,
                                                                 constants.bias_codes))});
  }
  if (IsAccumulator(writer.Output())) return writer.Store(accumulator);
  std::string real = writer.Node("Cast", {accumulator}, {{"to", kOnnxFloat}});
  if (!constants.bias_terms.empty()) {
    real = writer.Node("Add",
                       {real, writer.Floats("bias.terms", constants.bias_terms, shape)});
  }
  real = writer.Node("Mul",
                     {real, writer.Floats("multiplier", constants.multiplier, shape)});
  const std::string codes =
      writer.Node("QuantizeLinear",
                  {real, writer.Scalar("one", 1.0f),
                   writer.QuantizationZeroPoint(writer.Output(), writer.Output().name)});
  writer.StoreCodes(codes, FusedCodes(writer.attributes(), writer.Output()));
}

// Whether the spelled-out requantization is the scheme; and which bias it has.
bool SpellsScheme(const NodeWriter& writer, bool& rounded_bias) {
  if (IsAccumulator(writer.Output())) return rounded_bias = true;
  rounded_bias = writer.step().scheme == kRoundedBiasSchemeName;
  return rounded_bias || writer.step().scheme == kFloatBiasSchemeName;
}

// w [O, K] as [K, O].
std::string TurnedWeight(NodeWriter& writer) {
  const Tensor& w = *writer.Input(1).constant;
  const int64_t rows = w.dim(0);
  const int64_t columns = w.dim(1);
  Tensor turned(w.dtype(), {columns, rows});
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      turned.data<uint8_t>()[j * rows + i] = w.data<uint8_t>()[i * columns + j];
  return writer.Constant("weight.turned", std::move(turned));
}

// One for all where the channels agree: runtimes know that form best.
std::string WeightZeroPoint(NodeWriter& writer) {
  const ProgramValue& w = writer.Input(1);
  const std::vector<double>& codes = w.quantization->zero_point;
  const bool same = std::all_of(codes.begin(), codes.end(),
                                [&](double code) { return code == codes.front(); });
  if (!same || codes.empty()) return writer.QuantizationZeroPoint(w, w.name);
  return writer.Code(w.name + ".zero_point", static_cast<int64_t>(codes.front()),
                     w.dtype);
}

std::vector<std::string> QuantizedOperand(NodeWriter& writer, size_t i,
                                          const std::string& codes) {
  const ProgramValue& value = writer.Input(i);
  return {codes, writer.QuantizationScale(value, value.name),
          writer.QuantizationZeroPoint(value, value.name)};
}

void Append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

std::vector<std::string> QuantizedResult(NodeWriter& writer) {
  const ProgramValue& y = writer.Output();
  return {writer.QuantizationScale(y, y.name), writer.QuantizationZeroPoint(y, y.name)};
}

}  // namespace

bool WriteIntegerConvolution(NodeWriter& writer) {
  if (!IsInteger(writer)) return false;
  const bool accumulator = IsAccumulator(writer.Output());
  bool rounded_bias = true;
  if (accumulator || writer.form() == OnnxForm::kInteger) {
    if (!SpellsScheme(writer, rounded_bias)) return false;
    const std::string x = PaddedInput(writer, writer.Codes(0));
    const std::string sums =
        writer.Node("ConvInteger",
                    {x, writer.Codes(1),
                     writer.QuantizationZeroPoint(writer.Input(0), writer.Input(0).name),
                     WeightZeroPoint(writer)},
                    ConvolutionAttributes(writer));
    StoreRequantized(writer, sums, rounded_bias);
    return true;
  }
  if (writer.form() != OnnxForm::kOperator) return false;
  std::vector<std::string> inputs =
      QuantizedOperand(writer, 0, PaddedInput(writer, writer.Codes(0)));
  Append(inputs, QuantizedOperand(writer, 1, writer.Codes(1)));
  Append(inputs, QuantizedResult(writer));
  const ChannelConstants constants = ConstantsOf(writer, true);
  if (!constants.bias_codes.empty()) {
    const Shape shape = {writer.Input(1).shape[0]};
    inputs.push_back(writer.Constant(
        "bias.codes", Tensor::FromVector(DType::kInt32, shape, constants.bias_codes)));
  }
  const std::string codes =
      writer.Node("QLinearConv", std::move(inputs), ConvolutionAttributes(writer));
  writer.StoreCodes(codes, FusedCodes(writer.attributes(), writer.Output()));
  writer.Follow(kRoundedBiasSchemeName);
  return true;
}

bool WriteIntegerLinear(NodeWriter& writer) {
  if (!IsInteger(writer)) return false;
  const bool accumulator = IsAccumulator(writer.Output());
  bool rounded_bias = true;
  const bool spelled = accumulator || writer.form() == OnnxForm::kInteger;
  if (spelled && !SpellsScheme(writer, rounded_bias)) return false;
  if (!spelled && writer.form() != OnnxForm::kOperator) return false;
  if (!spelled && !writer.HasInput(2)) {
    std::vector<std::string> inputs = QuantizedOperand(writer, 0, writer.Codes(0));
    Append(inputs, QuantizedOperand(writer, 1, TurnedWeight(writer)));
    Append(inputs, QuantizedResult(writer));
    const std::string codes = writer.Node("QLinearMatMul", std::move(inputs));
    writer.StoreCodes(codes, FusedCodes(writer.attributes(), writer.Output()));
  } else {
    // QLinearMatMul has no bias.
    const std::string sums =
        writer.Node("MatMulInteger",
                    {writer.Codes(0), TurnedWeight(writer),
                     writer.QuantizationZeroPoint(writer.Input(0), writer.Input(0).name),
                     WeightZeroPoint(writer)});
    StoreRequantized(writer, sums, rounded_bias);
  }
  if (!spelled) writer.Follow(kRoundedBiasSchemeName);
  return true;
}

bool WriteQLinearMatmul(NodeWriter& writer) {
  const auto is_code = [](const ProgramValue& value) {
    return HasCodes(value) && value.quantization->axis < 0;
  };
  if (!is_code(writer.Input(0)) || !is_code(writer.Input(1)) || !is_code(writer.Output()))
    return false;
  std::vector<std::string> inputs = QuantizedOperand(writer, 0, writer.Codes(0));
  Append(inputs, QuantizedOperand(writer, 1, writer.Codes(1)));
  Append(inputs, QuantizedResult(writer));
  writer.StoreCodes(writer.Node("QLinearMatMul", std::move(inputs)),
                    CodesOf(writer.Output()));
  return true;
}

}  // namespace qconform
