// Conversions and functions of one element.
#include <algorithm>
#include <cmath>

#include "conformance/adapters/onnx/onnx_evaluator.h"

namespace qconform {
namespace {

using Unary = double (*)(double x);
using Binary = double (*)(double a, double b);

Array Map(const Array& x, const std::function<double(double)>& function) {
  Array y = x;
  for (double& value : y.values) value = function(value);
  return y;
}

Shape BroadcastShape(const NodeCall& call, const Shape& a, const Shape& b) {
  Shape shape(std::max(a.size(), b.size()));
  for (size_t i = 0; i < shape.size(); ++i) {
    const auto at = [&](const Shape& s) {
      const size_t offset = shape.size() - s.size();
      return i < offset ? 1 : s[i - offset];
    };
    shape[i] = at(a) == 1 ? at(b) : at(a);
    if (at(b) != shape[i] && at(b) != 1) call.Fail("the shapes do not broadcast");
  }
  return shape;
}

NodeDefinition OfTwo(Binary function) {
  return [function](const NodeCall& call) {
    const Array& a = call.Input(0);
    const Array& b = call.Input(1);
    Array y = EmptyArray(a.dtype, BroadcastShape(call, a.shape, b.shape));
    auto to = y.values.begin();
    ForEachIndex(y.shape, [&](const std::vector<int64_t>& index) {
      double value =
          function(a.values[static_cast<size_t>(BroadcastPlace(a.shape, index))],
                   b.values[static_cast<size_t>(BroadcastPlace(b.shape, index))]);
      // Integers wrap round.
      if (y.dtype == DType::kInt32)
        value = static_cast<int32_t>(static_cast<uint32_t>(static_cast<int64_t>(value)));
      *to++ = value;
    });
    return y;
  };
}

NodeDefinition OfOne(Unary function) {
  return [function](const NodeCall& call) { return Map(call.Input(0), function); };
}

// The element of a scale or zero point: one for all, or one a slice of `axis`.
size_t ParameterPlace(const Array& parameter, const std::vector<int64_t>& index,
                      int64_t axis) {
  return parameter.size() == 1 ? 0
                               : static_cast<size_t>(index[static_cast<size_t>(axis)]);
}

// y = saturate(round_half_even(x / scale) + zero_point)
Array QuantizeLinear(const NodeCall& call) {
  const Array& x = call.Input(0);
  const Array& scale = call.Input(1);
  const Array& zero = call.Input(2);
  const int64_t axis = call.Integer("axis", 1);
  Array y = EmptyArray(zero.dtype, x.shape);
  auto to = y.values.begin();
  auto from = x.values.begin();
  ForEachIndex(x.shape, [&](const std::vector<int64_t>& index) {
    const auto scaled = static_cast<float>(
        static_cast<float>(*from++) /
        static_cast<float>(scale.values[ParameterPlace(scale, index, axis)]));
    *to++ = SaturatedCode(
        std::nearbyint(scaled) + zero.values[ParameterPlace(zero, index, axis)],
        zero.dtype);
  });
  return y;
}

// y = (x - zero_point) * scale
Array DequantizeLinear(const NodeCall& call) {
  const Array& x = call.Input(0);
  const Array& scale = call.Input(1);
  const Array* zero = call.OptionalInput(2);
  const int64_t axis = call.Integer("axis", 1);
  Array y = EmptyArray(DType::kFloat32, x.shape);
  auto to = y.values.begin();
  auto from = x.values.begin();
  ForEachIndex(x.shape, [&](const std::vector<int64_t>& index) {
    const double shift =
        zero == nullptr ? 0.0 : zero->values[ParameterPlace(*zero, index, axis)];
    // int32 codes are rounded to float32 first.
    *to++ = static_cast<double>(static_cast<float>(*from++ - shift)) *
            scale.values[ParameterPlace(scale, index, axis)];
  });
  return y;
}

Array Clip(const NodeCall& call) {
  const double low = call.Input(1).values.at(0);
  const double high = call.Input(2).values.at(0);
  return Map(call.Input(0), [=](double x) { return std::min(std::max(x, low), high); });
}

Array Cast(const NodeCall& call) {
  // data_type of TensorProto
  const std::unordered_map<int64_t, DType> dtypes = {{1, DType::kFloat32},
                                                     {2, DType::kUInt8},
                                                     {6, DType::kInt32},
                                                     {11, DType::kFloat64}};
  const auto found = dtypes.find(call.Integer("to", 0));
  if (found == dtypes.end()) call.Fail("to another dtype");
  Array y = call.Input(0);
  y.dtype = found->second;
  return y;
}

Array Where(const NodeCall& call) {
  const Array& condition = call.Input(0);
  if (call.Input(1).size() != 1 || call.Input(2).size() != 1 || condition.size() != 1)
    call.Fail("of more than one element");
  return condition.values[0] != 0 ? call.Input(1) : call.Input(2);
}

NodeDefinition ToBoolean(Binary function) {
  return [function](const NodeCall& call) {
    Array y = OfTwo(function)(call);
    y.dtype = DType::kBool;
    return y;
  };
}

Array PRelu(const NodeCall& call) {
  const Array& x = call.Input(0);
  const Array& slope = call.Input(1);
  Array y = x;
  auto to = y.values.begin();
  ForEachIndex(x.shape, [&](const std::vector<int64_t>& index) {
    if (*to < 0)
      *to *= slope.values[static_cast<size_t>(BroadcastPlace(slope.shape, index))];
    ++to;
  });
  return y;
}

}  // namespace

void AddElementwiseNodes(NodeDefinitions& nodes) {
  nodes["QuantizeLinear"] = QuantizeLinear;
  nodes["DequantizeLinear"] = DequantizeLinear;
  nodes["Clip"] = Clip;
  nodes["Cast"] = Cast;
  nodes["PRelu"] = PRelu;
  nodes["Add"] = OfTwo([](double a, double b) { return a + b; });
  nodes["Sub"] = OfTwo([](double a, double b) { return a - b; });
  nodes["Mul"] = OfTwo([](double a, double b) { return a * b; });
  nodes["Div"] = OfTwo([](double a, double b) { return a / b; });
  nodes["Min"] = OfTwo([](double a, double b) { return std::min(a, b); });
  nodes["Max"] = OfTwo([](double a, double b) { return std::max(a, b); });
  nodes["Equal"] = ToBoolean([](double a, double b) { return a == b ? 1.0 : 0.0; });
  nodes["Less"] = ToBoolean([](double a, double b) { return a < b ? 1.0 : 0.0; });
  nodes["Or"] = ToBoolean([](double a, double b) { return a + b > 0 ? 1.0 : 0.0; });
  nodes["IsInf"] = [](const NodeCall& call) {
    Array y = Map(call.Input(0), [](double x) { return std::isinf(x) ? 1.0 : 0.0; });
    y.dtype = DType::kBool;
    return y;
  };
  nodes["Where"] = Where;
  nodes["Abs"] = OfOne([](double x) { return std::abs(x); });
  nodes["Round"] = OfOne([](double x) { return std::nearbyint(x); });
  nodes["Identity"] = OfOne([](double x) { return x; });
  nodes["Relu"] = OfOne([](double x) { return x < 0 ? 0.0 : x; });
  nodes["Sigmoid"] = OfOne([](double x) { return 1 / (1 + std::exp(-x)); });
  nodes["Tanh"] = OfOne([](double x) { return std::tanh(x); });
  nodes["Erf"] = OfOne([](double x) { return std::erf(x); });
  nodes["LeakyRelu"] = [](const NodeCall& call) {
    const double alpha = call.Real("alpha", 0.01f);
    return Map(call.Input(0), [alpha](double x) { return x < 0 ? alpha * x : x; });
  };
  nodes["Elu"] = [](const NodeCall& call) {
    const double alpha = call.Real("alpha", 1.0f);
    return Map(call.Input(0),
               [alpha](double x) { return x < 0 ? alpha * std::expm1(x) : x; });
  };
}

}  // namespace qconform
