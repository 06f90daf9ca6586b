#include "cli/parity/operators_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/parity/abi_operand.h"
#include "cli/parity/compare_values.h"
#include "cli/parity/native_operators_part.h"
#include "reference/formats/tensor_json.h"
#include "reference/ir/error.h"
#include "reference/numerics/describe.h"
#include "reference/numerics/scalar_operator.h"
#include "reference/numerics/scheme.h"

namespace qconform::parity {
namespace {

// An operator of the ABI with the record's inputs in order.
struct Operator {
  qc_operator_kind kind;
  qc_attributes attributes{};
  std::vector<const char*> inputs = {"a"};  // nullptr: absent
  bool accumulates = false;
};

void SetWindow(qc_attributes& a, int64_t kernel, int64_t stride, int64_t padding) {
  a.spatial_rank = 2;
  for (int i = 0; i < 2; ++i) {
    a.kernel[i] = kernel;
    a.stride[i] = stride;
    a.padding_before[i] = a.padding_after[i] = padding;
  }
}

std::optional<Operator> Unary(const std::string& name) {
  Operator op{};
  op.attributes.size = sizeof op.attributes;
  qc_attributes& a = op.attributes;
  if (name == "native relu") return op.kind = QC_RELU, op;
  if (name == "native relu6") return op.kind = QC_RELU6, op;
  if (name == "native hardtanh(-1,1)" || name == "native clamp(-1,1)") {
    a.minimum = -1.0f;
    a.maximum = 1.0f;
    return op.kind = QC_CLAMP, op;
  }
  if (name == "native sigmoid") return op.kind = QC_SIGMOID, op;
  if (name == "native tanh") return op.kind = QC_TANH, op;
  if (name == "native hardsigmoid") return op.kind = QC_HARDSIGMOID, op;
  if (name == "quantized.hardswish") return op.kind = QC_HARDSWISH, op;
  if (name == "quantized.elu(1.0)") return a.alpha = 1.0f, op.kind = QC_ELU, op;
  if (name == "quantized.leaky_relu(0.1)") {
    return a.alpha = 0.1f, op.kind = QC_LEAKY_RELU, op;
  }
  if (name == "quantized.softmax") return a.axis = 1, op.kind = QC_SOFTMAX, op;
  if (name == "native mean((2,3))") return a.axis_mask = 0b1100, op.kind = QC_MEAN, op;
  if (name == "native max_pool2d(3,2,1)") {
    return SetWindow(a, 3, 2, 1), op.kind = QC_MAX_POOL, op;
  }
  if (name.starts_with("native avg_pool2d(3,2,1")) {
    a.count_include_pad = name.find("False") == std::string::npos ? 1 : 0;
    return SetWindow(a, 3, 2, 1), op.kind = QC_AVG_POOL, op;
  }
  if (name.starts_with("native interpolate")) {
    a.scale_factor[0] = a.scale_factor[1] = 2.0;
    if (name.find("bilinear") != std::string::npos) {
      a.interpolation = QC_INTERPOLATION_BILINEAR;
    }
    return op.kind = QC_UPSAMPLE, op;
  }
  if (name.starts_with("native adaptive_avg_pool2d")) {
    return a.spatial_rank = 2, op.kind = QC_ADAPTIVE_AVG_POOL, op;
  }
  return std::nullopt;
}

std::optional<Operator> Binary(const std::string& name, const ordered_json& inputs) {
  Operator op{};
  op.attributes.size = sizeof op.attributes;
  op.inputs = {"a", "b"};
  const bool relu = name.ends_with("_relu");
  if (relu) op.attributes.activation = QC_ACTIVATION_RELU;
  if (name == "quantized.add" || name == "quantized.add_relu") {
    return op.kind = QC_ADD, op;
  }
  if (name == "quantized.mul" || name == "quantized.mul_relu") {
    return op.kind = QC_MUL, op;
  }
  if (name == "quantized.cat" || name == "torch.cat of quantized") {
    return op.attributes.axis = 1, op.kind = QC_CONCAT, op;
  }
  if (name == "quantized.matmul") return op.kind = QC_MATMUL, op;
  if (name == "quantized.prelu") {
    return op.inputs = {"a", "weight"}, op.kind = QC_PRELU, op;
  }
  if (name.ends_with(" scalar")) {
    op.inputs = {"a", nullptr};
    op.attributes.scalar = inputs.at("scalar").get<float>();
    if (name.find("_relu") != std::string::npos) {
      op.attributes.activation = QC_ACTIVATION_RELU;
    }
    return op.kind = name.starts_with("quantized.add") ? QC_ADD : QC_MUL, op;
  }
  if (name == "quantized.batch_norm2d") {
    op.inputs = {"a", "weight", "bias", "mean", "var"};
    return op.attributes.epsilon = 1e-5f, op.kind = QC_BATCH_NORM, op;
  }
  return std::nullopt;
}

std::optional<Operator> Weighted(const std::string& name, const ordered_json& params) {
  Operator op{};
  op.attributes.size = sizeof op.attributes;
  op.inputs = {"x", "weight", "bias"};
  op.accumulates = true;
  qc_attributes& a = op.attributes;
  if (name.ends_with("_relu")) a.activation = QC_ACTIVATION_RELU;
  if (name == "quantized.linear" || name == "quantized.linear_relu") {
    return op.kind = QC_LINEAR, op;
  }
  if (name == "quantized.linear_dynamic") {
    a.dynamic = 1;
    a.reduce_range = params.at("reduce_range").get<bool>() ? 1 : 0;
    return op.kind = QC_LINEAR, op;
  }
  if (!name.starts_with("quantized.conv")) return std::nullopt;
  op.kind = name.find("transpose") != std::string::npos ? QC_CONV_TRANSPOSE : QC_CONV;
  a.spatial_rank = static_cast<int32_t>(params.at("stride").size());
  for (size_t i = 0; i < params.at("stride").size(); ++i) {
    a.stride[i] = params.at("stride")[i];
    a.dilation[i] = params.at("dilation")[i];
    a.padding_before[i] = a.padding_after[i] = params.at("padding")[i];
    if (params.contains("output_padding")) {
      a.output_padding[i] = params.at("output_padding")[i];
    }
  }
  a.groups = params.at("groups");
  return op;
}

std::optional<Operator> Normalizing(const std::string& name, const ordered_json& row) {
  Operator op{};
  op.attributes.size = sizeof op.attributes;
  op.inputs = {"a", "weight", "bias"};
  op.attributes.epsilon = 1e-5f;
  if (name == "quantized.group_norm(2)") {
    return op.attributes.group_count = 2, op.kind = QC_GROUP_NORM, op;
  }
  if (name == "quantized.instance_norm") return op.kind = QC_INSTANCE_NORM, op;
  if (name != "quantized.layer_norm([5])") return std::nullopt;
  op.attributes.axis =
      static_cast<int64_t>(row.at("inputs").at("a").at("shape").size()) - 1;
  return op.kind = QC_LAYER_NORM, op;
}

std::optional<Operator> Find(const ordered_json& row) {
  const std::string name = row.at("op");
  std::optional<Operator> op = Unary(name);
  if (!op) op = Binary(name, row.at("inputs"));
  if (!op) op = Weighted(name, row.at("params"));
  if (!op) op = Normalizing(name, row);
  return op;
}

std::optional<Difference> CompareRun(const Operator& op, const ordered_json& row,
                                     const ordered_json& want,
                                     const std::string& scheme) {
  std::vector<std::unique_ptr<AbiOperand>> operands;
  std::vector<const qc_tensor*> inputs;
  for (const char* name : op.inputs) {
    if (name == nullptr || row.at("inputs").at(name).is_null()) {
      inputs.push_back(nullptr);
      continue;
    }
    const ordered_json& json = row.at("inputs").at(name);
    operands.push_back(std::make_unique<AbiOperand>(TensorFromJson(json, name)));
    inputs.push_back(&operands.back()->get());
  }
  const Tensor expected = TensorFromJson(want, "want");
  Tensor result(expected.dtype(), expected.shape());
  if (expected.quantization()) result.set_quantization(*expected.quantization());
  AbiOperand output(result);
  std::vector<qc_tensor*> outputs = {&output.get()};
  const qc_tensor* described = &output.get();
  qc_descriptor descriptor = Descriptor(op.kind, op.attributes, inputs, {&described, 1});
  descriptor.scheme = scheme.c_str();
  std::string reason;
  if (!DefinesOperator(descriptor, &reason)) return Difference{"definition", reason, ""};
  RunScalarOperator(descriptor, inputs, outputs);
  return CompareTensors(output.tensor(), want, "output");
}

void CompareRecord(const Operator& op, const ordered_json& row, RecordReport& report) {
  if (!op.accumulates) {
    report.Add("reference", CompareRun(op, row, row.at("reference"), kRealSchemeName));
    return;
  }
  const ordered_json& fbgemm = row.at("engines").at("fbgemm").at("output");
  report.Add("fbgemm", CompareRun(op, row, fbgemm, kFloatBiasSchemeName));
  // qnnpack adds a float bias to float outputs; bias_s32 is its rule for codes.
  if (op.attributes.dynamic != 0) return;
  const ordered_json& engine = row.at("engines").at("qnnpack");
  if (!engine.contains("output")) return;
  const ordered_json& output = engine.at("output");
  report.Add("qnnpack", CompareRun(op, row, output.is_string() ? fbgemm : output,
                                   kRoundedBiasSchemeName));
}

}  // namespace

PartReport OperatorsPart(const ordered_json& file) {
  PartReport part;
  part.name = "operators";
  int index = 0;
  for (const ordered_json& row : file.at("ops")) {
    const std::string name = row.at("op");
    RecordReport report(fmt::format("ops/{}/{}", index++, name));
    const std::optional<Operator> op = Find(row);
    if (op) CompareRecord(*op, row, report);
    const bool native = CompareNativeRow(row, report);
    if (op || native) {
      part.records.push_back(std::move(report));
    } else if (std::find(part.not_compared.begin(), part.not_compared.end(), name) ==
               part.not_compared.end()) {
      part.not_compared.push_back(name);
    }
  }
  return part;
}

}  // namespace qconform::parity
