#include "cli/parity/native_operators_part.h"

#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "cli/parity/compare_values.h"
#include "reference/formats/tensor_json.h"
#include "reference/ir/error.h"
#include "reference/native_operators/native_registry.h"
#include "reference/numerics/decomposed.h"
#include "reference/numerics/fake_quantize.h"
#include "reference/numerics/quantize.h"

namespace qconform::parity {
namespace {

struct NativeCall {
  std::string target;
  std::vector<Value> args;
  OrderedMap<Value> kwargs;
};

std::optional<NativeCall> CallOf(const ordered_json& row) {
  const std::string name = row.at("op");
  const ordered_json& params = row.at("params");
  const auto input = [&](const char* key) -> Value {
    const ordered_json& inputs = row.at("inputs");
    if (!inputs.contains(key) || inputs.at(key).is_null()) return {};
    return TensorFromJson(inputs.at(key), key);
  };
  NativeCall call;
  call.args = {input("a")};
  if (name.starts_with("native interpolate")) {
    call.target = "torch.nn.functional.interpolate";
    call.kwargs.Set("scale_factor", 2.0);
    call.kwargs.Set("mode",
                    name.find("bilinear") != std::string::npos ? "bilinear" : "nearest");
    return call;
  }
  const std::string operation = name.substr(0, name.find('('));
  if (operation == "quantized.prelu") {
    call.target = operation;
    call.args.insert(call.args.end(), {input("weight"), params.at("scale").get<double>(),
                                       params.at("zero_point").get<int64_t>()});
    return call;
  }
  if (operation != "quantized.group_norm" && operation != "quantized.instance_norm" &&
      operation != "quantized.layer_norm") {
    return std::nullopt;
  }
  call.target = operation;
  if (operation == "quantized.group_norm") {
    call.args.push_back(int64_t{std::stoll(name.substr(name.find('(') + 1))});
  }
  if (operation == "quantized.layer_norm") {
    call.args.push_back(
        Value::List({int64_t{std::stoll(name.substr(name.find('[') + 1))}}));
  }
  call.kwargs.Set("weight", input("weight"));
  call.kwargs.Set("bias", input("bias"));
  call.kwargs.Set("eps", params.at("eps").get<double>());
  call.kwargs.Set("output_scale", params.at("scale").get<double>());
  call.kwargs.Set("output_zero_point", params.at("zero_point").get<int64_t>());
  return call;
}

using Answer = std::function<Value()>;

std::map<std::string, Answer> Answers() {
  const Tensor ones = Tensor::FromVector<float>(DType::kFloat32, {2}, {1.0f, 1.0f});
  const auto native = [ones](double scale, int64_t zero_point) -> Answer {
    return [=] { return QuantizePerTensor(ones, scale, zero_point, DType::kQUInt8); };
  };
  const auto fake = [ones](int64_t zero_point, int64_t low, int64_t high) -> Answer {
    return [=] { return FakeQuantizePerTensor(ones, 0.1f, zero_point, low, high).y; };
  };
  std::map<std::string, Answer> answers;
  for (const int64_t zero_point : {-1, 256}) {
    const std::string ending = " zp=" + std::to_string(zero_point);
    answers["quantize_per_tensor quint8" + ending] = native(0.1, zero_point);
    answers["fake_quantize tensor" + ending] = fake(zero_point, 0, 255);
  }
  answers["quantize_per_tensor scale=0.0"] = native(0.0, 0);
  answers["quantize_per_tensor scale=-0.1"] = native(-0.1, 0);
  answers["quantize_per_tensor scale=nan"] = native(std::nan(""), 0);
  answers["quantize_per_tensor scale=1e-40"] = native(1e-40, 0);
  answers["q_scale double kept"] = [=] {
    return QuantizePerTensor(ones, 0.1, 0, DType::kQUInt8).quantization()->scale.at(0);
  };
  answers["q_scale from f32 tensor"] = [=] {
    return QuantizePerTensor(ones, static_cast<double>(0.1f), 0, DType::kQUInt8)
        .quantization()
        ->scale.at(0);
  };
  answers["quantize float64 input"] = [=] {
    return QuantizePerTensor(Tensor(DType::kFloat64, {2}), 0.1, 0, DType::kQUInt8);
  };
  answers["quantize int input"] = [=] {
    return QuantizePerTensor(Tensor(DType::kInt32, {2}), 0.1, 0, DType::kQUInt8);
  };
  answers["decomposed zp out of range"] = [=] {
    return DecomposedQuantizePerTensor(ones, 0.1, 300, 0, 255, DType::kUInt8);
  };
  answers["decomposed qmin below dtype"] = [=] {
    return DecomposedQuantizePerTensor(ones, 0.1, 0, -1, 255, DType::kUInt8);
  };
  answers["decomposed wrong input dtype"] = [=] {
    return DecomposedQuantizePerTensor(Tensor(DType::kInt32, {2}), 0.1, 0, 0, 255,
                                       DType::kUInt8);
  };
  return answers;
}

std::optional<Difference> CompareAnswer(const Answer& answer, const ordered_json& want) {
  Value got;
  try {
    got = answer();
  } catch (const PipelineError& error) {
    const std::string kind =
        want.is_object() && want.contains("type") ? want.at("type") : ordered_json("");
    if (kind == error.kind()) return std::nullopt;
    return Difference{"", error.kind() + ": " + error.what(), want.dump()};
  }
  if (const double* number = got.As<double>()) return CompareNumbers(*number, want, "");
  if (!want.contains("b64")) return Difference{"", ValueText(got), want.dump()};
  const Tensor& tensor = *got.As<Tensor>();
  if (!want.contains("scale")) return CompareTensors(tensor, want, "");
  // A reader of quantized tensors refuses these scales: codes and scale are compared
  // apart.
  ordered_json codes = want;
  codes["dtype"] = "uint8";
  codes.erase("scale");
  codes.erase("zero_point");
  if (auto difference =
          CompareNumbers(tensor.quantization()->scale.at(0), want.at("scale"), "scale")) {
    return difference;
  }
  return CompareTensors(tensor, codes, "");
}

}  // namespace

bool CompareNativeRow(const ordered_json& row, RecordReport& report) {
  const std::optional<NativeCall> call = CallOf(row);
  if (!call) return false;
  static const Registry registry = NativeRegistry("fbgemm");
  const FunctionDefinition* definition = registry.FindFunction(call->target);
  if (definition == nullptr) return false;
  const Value got = (*definition)(Call(call->target, call->args, call->kwargs));
  report.Add("fbgemm",
             CompareTensors(*got.As<Tensor>(),
                            row.at("engines").at("fbgemm").at("output"), "output"));
  return true;
}

PartReport QuantizeErrorsPart(const ordered_json& file) {
  PartReport part;
  part.name = "errors";
  const std::map<std::string, Answer> answers = Answers();
  for (const ordered_json& row : file.at("errors")) {
    const std::string name = row.at(0);
    const auto answer = answers.find(name);
    if (answer == answers.end()) {
      part.not_compared.push_back("errors/" + name);
      continue;
    }
    RecordReport report("errors/" + name);
    report.Add("errors", CompareAnswer(answer->second, row.at(1)));
    part.records.push_back(std::move(report));
  }
  return part;
}

}  // namespace qconform::parity
