#include "reference/onnx/export_program.h"

#include <unordered_set>

#include "reference/onnx/node_writer.h"

namespace qconform {
namespace {

using Writer = void (*)(NodeWriter&);

Writer WriterOf(qc_operator_kind kind) {
  switch (kind) {
    case QC_CONV:
    case QC_CONV_TRANSPOSE:
      return WriteConvolution;
    case QC_LINEAR:
      return WriteLinear;
    case QC_MATMUL:
      return WriteMatmul;
    case QC_ADD:
    case QC_SUB:
    case QC_MUL:
      return WriteBinary;
    case QC_RELU:
    case QC_RELU6:
    case QC_CLAMP:
    case QC_LEAKY_RELU:
    case QC_ELU:
    case QC_HARDSWISH:
    case QC_HARDSIGMOID:
    case QC_SIGMOID:
    case QC_TANH:
    case QC_GELU:
      return WriteActivation;
    case QC_SOFTMAX:
      return WriteSoftmax;
    case QC_PRELU:
      return WritePrelu;
    case QC_BATCH_NORM:
      return WriteBatchNorm;
    case QC_INSTANCE_NORM:
    case QC_GROUP_NORM:
    case QC_LAYER_NORM:
      return WriteNorm;
    case QC_MAX_POOL:
      return WriteMaxPool;
    case QC_AVG_POOL:
      return WriteAveragePool;
    case QC_ADAPTIVE_AVG_POOL:
      return WriteAdaptivePool;
    case QC_MEAN:
      return WriteMean;
    case QC_CONCAT:
      return WriteConcat;
    case QC_UPSAMPLE:
      return WriteUpsample;
    case QC_PIXEL_SHUFFLE:
    case QC_PIXEL_UNSHUFFLE:
      return WritePixelShuffle;
    case QC_EMBEDDING:
    case QC_EMBEDDING_BAG:
      return WriteEmbedding;
    case QC_QUANTIZE:
    case QC_DEQUANTIZE:
    case QC_REQUANTIZE:
      return WriteConversion;
    case QC_DYNAMIC_QUANTIZE:
      return WriteDynamicQuantize;
    case QC_RESHAPE:
    case QC_TRANSPOSE:
    case QC_SLICE:
    case QC_PAD:
      return WriteMovement;
    default:
      return nullptr;
  }
}

// The value's own name, and that of its tensor in the model.
OnnxValue ValueOf(const ProgramValue& value, const std::string& user) {
  if (!HasOnnxDType(value.dtype))
    throw OnnxRefusal(user, value.name + " is " + std::string(DTypeName(value.dtype)));
  return {value.name, value.dtype, value.shape};
}

}  // namespace

std::optional<OnnxForm> ParseOnnxForm(std::string_view name) {
  if (name == "qdq") return OnnxForm::kQdq;
  if (name == "operator") return OnnxForm::kOperator;
  if (name == "integer") return OnnxForm::kInteger;
  return std::nullopt;
}

OnnxExport ExportProgram(const Program& program, const std::string& name, OnnxForm form) {
  OnnxExport result;
  OnnxModel& model = result.model;
  model.name = name;
  model.producer = std::string("qconform ") + QCONFORM_VERSION;
  OnnxModelBuilder builder(result);
  const auto value_at = [&](int index) -> const ProgramValue& {
    return program.values[static_cast<size_t>(index)];
  };
  for (const ProgramValue& value : program.values) builder.Fresh(value.name);
  for (const int index : program.inputs)
    model.inputs.push_back(ValueOf(value_at(index), value_at(index).name));
  for (const ProgramStep& step : program.steps) {
    const auto* op = std::get_if<ProgramOperator>(&step);
    if (op == nullptr) {
      const FloatIsland& island = std::get<FloatIsland>(step);
      WriteIsland(program, island, builder);
      continue;
    }
    const Writer writer = WriterOf(op->kind);
    if (writer == nullptr)
      throw OnnxRefusal(op->node, "standard ONNX has no such quantized operator");
    for (const std::vector<int>& list : {op->inputs, op->outputs})
      for (const int index : list)
        if (index >= 0) ValueOf(value_at(index), op->node);
    NodeWriter node(program, *op, form, builder);
    writer(node);
  }
  // Constants that somebody reads, as the program has them.
  std::unordered_set<std::string> read;
  for (const OnnxNode& node : model.nodes)
    read.insert(node.inputs.begin(), node.inputs.end());
  for (const int index : program.outputs) read.insert(value_at(index).name);
  for (const ProgramValue& value : program.values)
    if (value.constant && read.contains(value.name))
      model.initializers.Set(value.name, *value.constant);
  for (const int index : program.outputs)
    model.outputs.push_back(ValueOf(value_at(index), value_at(index).name));
  return result;
}

}  // namespace qconform
