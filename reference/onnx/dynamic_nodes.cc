// Quantization at run time by torch's formula (numerics/choose_qparams.h), spelled out:
// DynamicQuantizeLinear of ONNX rounds scale and zero point in another way.
#include "reference/onnx/dynamic_nodes.h"

#include <cmath>

namespace qconform {
namespace {

constexpr int64_t kOnnxFloat = 1;
constexpr int64_t kOnnxUInt8 = 2;
constexpr int64_t kOnnxInt32 = 6;
constexpr int64_t kOnnxDouble = 11;

// Of torch's ChooseQuantizationParams.
constexpr float kSmallestScale = 6.1e-5f;
constexpr double kScaleOfNothing = 0.1;

class QparamNodes {
 public:
  QparamNodes(NodeWriter& writer, bool reduce_range)
      : writer_(writer), quant_max_(reduce_range ? 127 : 255) {}

  DynamicNames Write() {
    if (NumElements(writer_.Input(0).shape) == 0)
      writer_.Refuse("quantizes nothing at run time, whose least element ONNX has not");
    const std::string x = writer_.Codes(0);
    std::vector<int64_t> axes;
    for (size_t i = 0; i < writer_.Input(0).shape.size(); ++i)
      axes.push_back(static_cast<int64_t>(i));
    const std::vector<OnnxAttribute> all = {{"axes", axes}, {"keepdims", int64_t{0}}};
    const std::string zero = writer_.Scalar("zero", 0.0f);
    std::string min = Node("Min", {Node("ReduceMin", {x}, all), zero});
    std::string max = Node("Max", {Node("ReduceMax", {x}, all), zero});
    const std::string scale = Widened(RangeScale(min, max), min, max);
    DynamicNames names;
    names.scale = ToFloat(scale);
    names.zero_point = ZeroPoint(scale, ToDouble(min), ToDouble(max));
    // The reciprocal in float32, as every quantization here.
    const std::string reciprocal =
        Node("Div", {writer_.Scalar("one", 1.0f), names.scale});
    names.codes = Node("QuantizeLinear", {Node("Mul", {x, reciprocal}),
                                          writer_.Scalar("one", 1.0f), names.zero_point});
    return names;
  }

 private:
  std::string Node(const char* op_type, std::vector<std::string> inputs,
                   std::vector<OnnxAttribute> attributes = {}) {
    return writer_.Node(op_type, std::move(inputs), std::move(attributes));
  }
  std::string ToDouble(const std::string& value) {
    return Node("Cast", {value}, {{"to", kOnnxDouble}});
  }
  std::string ToFloat(const std::string& value) {
    return Node("Cast", {value}, {{"to", kOnnxFloat}});
  }
  std::string Double(const char* what, double value) {
    return writer_.Constant(what,
                            Tensor::FromVector<double>(DType::kFloat64, {}, {value}));
  }

  // (max - min) / range in double; 0.1 where that is nothing in float32.
  std::string RangeScale(const std::string& min, const std::string& max) {
    const std::string width = Node("Sub", {ToDouble(max), ToDouble(min)});
    const std::string scale = Node("Div", {width, Double("range", quant_max_)});
    const std::string narrow = ToFloat(scale);
    const std::string reciprocal = Node("Div", {writer_.Scalar("one", 1.0f), narrow});
    const std::string is_zero = Node("Equal", {narrow, writer_.Scalar("zero", 0.0f)});
    const std::string is_nothing = Node("Or", {is_zero, Node("IsInf", {reciprocal})});
    return Node("Where",
                {is_nothing, Double("scale_of_nothing", kScaleOfNothing), scale});
  }

  // A scale below the smallest is that one, and the range grows with it.
  std::string Widened(const std::string& scale, std::string& min, std::string& max) {
    const std::string smallest = Double("smallest_scale", kSmallestScale);
    const std::string is_small = Node("Less", {scale, smallest});
    const std::string zero = writer_.Scalar("zero", 0.0f);
    const float bound = kSmallestScale * static_cast<float>(quant_max_);
    const std::string min_is_zero = Node("Equal", {min, zero});
    const std::string max_is_zero = Node("Equal", {max, zero});
    const std::string amplifier =
        Node("Div", {writer_.Scalar("smallest_scale", kSmallestScale), ToFloat(scale)});
    // One end at zero: the other goes to the bound.
    const std::string wide_max =
        Node("Where", {min_is_zero, writer_.Scalar("bound", bound),
                       Node("Where", {max_is_zero, max, Node("Mul", {max, amplifier})})});
    const std::string wide_min =
        Node("Where", {min_is_zero, min,
                       Node("Where", {max_is_zero, writer_.Scalar("bound", -bound),
                                      Node("Mul", {min, amplifier})})});
    min = Node("Where", {is_small, wide_min, min});
    max = Node("Where", {is_small, wide_max, max});
    return Node("Where", {is_small, smallest, scale});
  }

  // From the end that puts it closer to an exact code. The least code is 0.
  std::string ZeroPoint(const std::string& scale, const std::string& min,
                        const std::string& max) {
    const std::string low = Node("Div", {min, scale});
    const std::string high = Node("Div", {max, scale});
    const std::string greatest = Double("greatest_code", quant_max_);
    const std::string zero = Double("least_code", 0.0);
    const std::string error_low = Node("Sub", {zero, Node("Abs", {low})});
    const std::string error_high = Node("Sub", {greatest, Node("Abs", {high})});
    const std::string nearer = Node("Less", {error_low, error_high});
    const std::string zero_point =
        Node("Where", {nearer, Node("Sub", {zero, low}), Node("Sub", {greatest, high})});
    const std::string inside =
        Node("Clip", {Node("Round", {zero_point}), zero, greatest});
    return Node("Cast", {inside}, {{"to", kOnnxUInt8}});
  }

  NodeWriter& writer_;
  const int quant_max_;
};

}  // namespace

DynamicNames WriteDynamicCodes(NodeWriter& writer) {
  return QparamNodes(writer, writer.attributes().reduce_range != 0).Write();
}

void WriteDynamicQuantize(NodeWriter& writer) {
  if (writer.Output().dtype != DType::kUInt8)
    writer.Refuse("codes of " + std::string(DTypeName(writer.Output().dtype)));
  const DynamicNames names = WriteDynamicCodes(writer);
  writer.Store(writer.Node("Identity", {names.codes}), 0);
  const std::string one = writer.Integers("one_element", {1});
  writer.Store(writer.Node("Reshape", {names.scale, one}), 1);
  const std::string wide = writer.Node("Cast", {names.zero_point}, {{"to", kOnnxInt32}});
  writer.Store(writer.Node("Reshape", {wide, one}), 2);
}

}  // namespace qconform
