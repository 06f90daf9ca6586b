#include "reference/convert/quantize_nodes.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

// The plain integer dtype of the codes of a quantized one. (to_underlying_dtype)
DType UnderlyingDType(DType dtype) {
  switch (dtype) {
    case DType::kQUInt8:
    case DType::kQUInt4x2:
    case DType::kQUInt2x4:
      return DType::kUInt8;
    case DType::kQInt8:
      return DType::kInt8;
    case DType::kQInt32:
      return DType::kInt32;
    case DType::kUInt8:
    case DType::kInt8:
    case DType::kUInt16:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kFloat8E5M2:
    case DType::kFloat8E4M3FN:
      return dtype;
    default:
      throw PipelineError("AssertionError",
                          "Unsupported dtype: " + std::string(DTypeName(dtype)));
  }
}

Argument OptionalInteger(const std::optional<int64_t>& value) {
  return value ? Argument(*value) : Argument();
}

// Appends quantize and dequantize with the same parameters.
void WritePair(Graph& graph, Node* observer_node, Node* input, const std::string& scheme,
               const std::string& overload, const std::vector<Argument>& parameters,
               DType value_dtype) {
  std::vector<Argument> args = {input};
  args.insert(args.end(), parameters.begin(), parameters.end());
  Node* quantize =
      graph.InsertBefore(observer_node, Op::kCallFunction,
                         "quantized_decomposed.quantize_" + scheme + overload, args);
  args[0] = quantize;
  OrderedMap<Argument> kwargs;
  if (value_dtype != DType::kFloat32) kwargs.Set("out_dtype", value_dtype);
  Node* dequantize = graph.InsertBefore(
      observer_node, Op::kCallFunction,
      "quantized_decomposed.dequantize_" + scheme + overload, args, std::move(kwargs));
  ReplaceObserver(graph, observer_node, dequantize);
}

void WriteStatic(GraphModule& module, Node* observer_node, const Observer& observer,
                 const ParameterPrefix& prefix, ParameterWriter& writer,
                 DType value_dtype) {
  Node* input = observer_node->args()[0].AsNode();
  const Qparams qparams = observer.CalculateQparams();
  const DType dtype = UnderlyingDType(observer.dtype);
  const Argument quant_min = OptionalInteger(observer.quant_min);
  const Argument quant_max = OptionalInteger(observer.quant_max);
  if (!IsPerChannel(observer.qscheme)) {
    WritePair(module.graph, observer_node, input, "per_tensor", ".default",
              {ScaleValue(qparams), ZeroPointValue(qparams), quant_min, quant_max, dtype},
              value_dtype);
    return;
  }
  const std::string name = prefix.path + prefix.suffix;
  Node* scale = writer.Write(observer_node, name + "_scale_", qparams.scale.Clone());
  Node* zero_point =
      writer.Write(observer_node, name + "_zero_point_", qparams.zero_point.Clone());
  WritePair(module.graph, observer_node, input, "per_channel", ".default",
            {scale, zero_point, observer.ch_axis, quant_min, quant_max, dtype},
            value_dtype);
}

void WriteDynamic(Graph& graph, Node* observer_node, const Observer& observer,
                  DType value_dtype) {
  Node* input = observer_node->args()[0].AsNode();
  const DType dtype = UnderlyingDType(observer.dtype);
  if (dtype != DType::kUInt8 && dtype != DType::kInt8) {
    throw PipelineError("AssertionError",
                        "only uint8 and int8 are supported in reference flow for dynamic "
                        "quantization");
  }
  if (observer.qscheme != QScheme::kPerTensorAffine &&
      observer.qscheme != QScheme::kPerTensorSymmetric) {
    throw PipelineError("KeyError", std::string(QSchemeName(observer.qscheme)));
  }
  const std::string operation = observer.qscheme == QScheme::kPerTensorSymmetric
                                    ? "choose_qparams_symmetric"
                                    : "choose_qparams";
  const Argument quant_min = OptionalInteger(observer.quant_min);
  const Argument quant_max = OptionalInteger(observer.quant_max);
  Node* chosen = graph.InsertBefore(
      observer_node, Op::kCallFunction, "quantized_decomposed." + operation + ".tensor",
      {input, quant_min, quant_max, static_cast<double>(observer.eps), dtype});
  Node* scale = graph.InsertBefore(observer_node, Op::kCallFunction, "operator.getitem",
                                   {chosen, 0});
  Node* zero_point = graph.InsertBefore(observer_node, Op::kCallFunction,
                                        "operator.getitem", {chosen, 1});
  WritePair(graph, observer_node, input, "per_tensor", ".tensor",
            {scale, zero_point, quant_min, quant_max, dtype}, value_dtype);
}

}  // namespace

void WriteDecomposedNodes(GraphModule& module, Node* observer_node,
                          const Observer& observer, const ParameterPrefix& prefix,
                          ParameterWriter& writer, DType value_dtype) {
  Graph& graph = module.graph;
  if (observer.is_dynamic) {
    WriteDynamic(graph, observer_node, observer, value_dtype);
  } else if (observer.dtype != DType::kFloat16) {
    WriteStatic(module, observer_node, observer, prefix, writer, value_dtype);
  } else {
    const std::string convert = "quantized_decomposed.convert_element_type.no_fuse";
    Node* half = graph.InsertBefore(observer_node, Op::kCallFunction, convert,
                                    {observer_node->args()[0], DType::kFloat16});
    Node* real = graph.InsertBefore(observer_node, Op::kCallFunction, convert,
                                    {half, DType::kFloat32});
    ReplaceObserver(graph, observer_node, real);
  }
}

}  // namespace qconform
