#include "conformance/adapters/scalar/scalar_config.h"

#include <string>
#include <vector>

namespace {

using Words = std::vector<std::string>;

// dtype_configs of a row: all combinations of these; `rests` begin with a comma.
std::string DTypes(const Words& inputs, const Words& outputs, const Words& rests) {
  std::string text;
  for (const std::string& input : inputs) {
    for (const std::string& output : outputs) {
      for (const std::string& rest : rests) {
        text += std::string(text.empty() ? "" : ",") + R"({"input_dtype":"torch.)" +
                input + R"(","output_dtype":"torch.)" + output + "\"" + rest + "}";
      }
    }
  }
  return text;
}

Words WeightsAndBiases(const std::string& last) {
  Words rests;
  for (const char* weight : {"qint8", "quint8"}) {
    for (const char* bias : {"float32", "qint32"}) {
      rests.push_back(std::string(R"(,"weight_dtype":"torch.)") + weight +
                      R"(","bias_dtype":"torch.)" + bias + "\"" + last);
    }
  }
  return rests;
}

const Words kCodes = {"quint8", "qint8"};
const Words kCodesOrReal = {"quint8", "qint8", "float32"};

// Accumulates: weights and a bias beside any codes, to codes or real numbers.
const std::string& Weighted() {
  static const std::string text = DTypes(kCodes, kCodesOrReal, WeightsAndBiases(""));
  return text;
}

const std::string& Linear() {
  static const std::string text =
      Weighted() + "," +
      DTypes({"quint8"}, {"float32"}, WeightsAndBiases(R"(,"is_dynamic":true)"));
  return text;
}

// Rescales.
const std::string& Real() {
  static const std::string text = DTypes(kCodes, kCodesOrReal, {""});
  return text;
}

// Moves codes.
const std::string& Copy() {
  static const std::string text =
      DTypes({"quint8"}, {"quint8"}, {""}) + "," + DTypes({"qint8"}, {"qint8"}, {""});
  return text;
}

class Rows {
 public:
  // `fields`: with a comma before each.
  void Add(const std::string& pattern, const std::string& dtypes,
           const std::string& fields = "") {
    text_ += (text_.empty() ? "" : ",\n") + std::string(R"({"pattern":)") + pattern +
             R"(,"dtype_configs":[)" + dtypes + "]" + fields + "}";
  }

  void AddNames(const Words& names, const std::string& dtypes) {
    for (const std::string& name : names) Add('"' + name + '"', dtypes);
  }

  // A module with a weight, behind it ReLU, and the two as one; and the function.
  void AddWeighted(const std::string& name, const std::string& fused,
                   const std::string& function, const std::string& dtypes) {
    const std::string module = "\"torch.nn." + name + '"';
    const std::string root =
        R"(,"root_module":)" + module +
        R"(,"reference_quantized_module_for_root":"torch.ao.nn.quantized.reference.)" +
        name + '"';
    Add(module, dtypes, root);
    if (!fused.empty()) {
      const std::string fuse = R"(,"fused_module":"torch.ao.nn.intrinsic.)" + fused +
                               R"(","fuser_method":"_sequential_wrapper2()" +
                               "torch.ao.nn.intrinsic." + fused + ")\"";
      Add("[" + module + R"(,"torch.nn.ReLU"])", dtypes, fuse);
      Add("\"torch.ao.nn.intrinsic." + fused + '"', dtypes, root);
    }
    const std::string weight = R"(,"input_type_to_index":{"weight":1,"bias":2})";
    const std::string call = "\"torch.nn.functional." + function + '"';
    Add(call, dtypes, weight);
    Add("[" + call + R"(,"torch.nn.functional.relu"])", dtypes);
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string MakeConfig() {
  Rows rows;
  for (const std::string d : {"1d", "2d", "3d"}) {
    rows.AddWeighted("Conv" + d, "ConvReLU" + d, "conv" + d, Weighted());
    rows.AddWeighted("ConvTranspose" + d, "", "conv_transpose" + d, Weighted());
  }
  rows.AddWeighted("Linear", "LinearReLU", "linear", Linear());
  for (const char* binary : {"operator.add", "torch.add", "operator.mul", "torch.mul"}) {
    rows.AddNames({binary}, Real());
    rows.Add("[\"" + std::string(binary) + R"(","torch.nn.ReLU"])", Real());
  }
  rows.AddNames({"torch.nn.BatchNorm2d", "torch.nn.BatchNorm3d"}, Real());
  for (const std::string d : {"2d", "3d"}) {
    const std::string fused = "torch.ao.nn.intrinsic.BNReLU" + d;
    rows.Add("[\"torch.nn.BatchNorm" + d + R"(","torch.nn.ReLU"])", Real(),
             R"(,"fused_module":")" + fused +
                 R"(","fuser_method":"_sequential_wrapper2()" + fused + ")\"");
    rows.AddNames({fused}, Real());
  }
  rows.AddNames({"torch.nn.ReLU",        "torch.nn.functional.relu",
                 "torch.nn.ReLU6",       "torch.nn.functional.relu6",
                 "torch.nn.Hardtanh",    "torch.nn.functional.hardtanh",
                 "torch.nn.LeakyReLU",   "torch.nn.functional.leaky_relu",
                 "torch.nn.ELU",         "torch.nn.functional.elu",
                 "torch.nn.Hardswish",   "torch.nn.functional.hardswish",
                 "torch.nn.Hardsigmoid", "torch.nn.functional.hardsigmoid",
                 "torch.nn.Sigmoid",     "torch.nn.functional.sigmoid",
                 "torch.nn.Tanh",        "torch.nn.functional.tanh",
                 "torch.nn.Softmax",     "torch.nn.functional.softmax"},
                Real());
  rows.AddNames({"torch.nn.InstanceNorm1d", "torch.nn.InstanceNorm2d",
                 "torch.nn.InstanceNorm3d", "torch.nn.GroupNorm", "torch.nn.LayerNorm"},
                Real());
  rows.AddNames({"torch.nn.AvgPool1d", "torch.nn.AvgPool2d", "torch.nn.AvgPool3d",
                 "torch.nn.functional.avg_pool1d", "torch.nn.functional.avg_pool2d",
                 "torch.nn.functional.avg_pool3d", "torch.nn.AdaptiveAvgPool1d",
                 "torch.nn.AdaptiveAvgPool2d", "torch.nn.AdaptiveAvgPool3d",
                 "torch.nn.functional.adaptive_avg_pool2d", "torch.mean", "mean",
                 "torch.matmul", "torch.cat"},
                Real());
  rows.AddNames({"torch.nn.MaxPool1d", "torch.nn.MaxPool2d", "torch.nn.MaxPool3d",
                 "torch.nn.functional.max_pool1d", "torch.nn.functional.max_pool2d",
                 "torch.nn.functional.max_pool3d"},
                Real());
  rows.AddNames({"torch.flatten", "torch.nn.Flatten", "reshape", "view", "permute",
                 "transpose", "torch.nn.PixelShuffle", "torch.nn.PixelUnshuffle"},
                Copy());
  rows.AddNames({"torch.nn.functional.interpolate"}, Copy());
  return "{\"name\":\"scalar\",\"configs\":[\n" + rows.text() + "\n]}\n";
}

}  // namespace

const char* ScalarConfig() {
  static const std::string text = MakeConfig();
  return text.c_str();
}
