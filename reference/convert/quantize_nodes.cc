#include "reference/convert/quantize_nodes.h"

#include <algorithm>

#include "reference/ir/error.h"
#include "reference/qconfig/quantization_dtypes.h"

namespace qconform {
namespace {

Tensor RealScalar(double value) {
  return Tensor::FromVector<float>(DType::kFloat32, {}, {static_cast<float>(value)});
}

Tensor IntegerScalar(int64_t value) {
  return Tensor::FromVector<int64_t>(DType::kInt64, {}, {value});
}

// The dtypes that torch.quantize_per_tensor and _per_channel make.
bool HasQuantizedTensor(DType dtype) {
  return dtype == DType::kQUInt8 || dtype == DType::kQInt8 || dtype == DType::kQInt32 ||
         dtype == DType::kFloat8E5M2 || dtype == DType::kFloat8E4M3FN;
}

}  // namespace

bool HasReducedRange(const Observer& observer) {
  if (observer.reduce_range) return true;
  constexpr int64_t kHalf = 127;
  return observer.quant_min && observer.quant_max &&
         *observer.quant_max - *observer.quant_min <= kHalf;
}

bool IsConvertible(const Observer& observer) {
  if (observer.is_dynamic) return true;
  return IsInEveryQuantizationList(observer.dtype) || observer.dtype == DType::kQInt32 ||
         observer.dtype == DType::kFloat16 || observer.dtype == DType::kUInt16;
}

Node* ParameterWriter::Write(Node* position, std::string prefix, Tensor value) {
  std::replace(prefix.begin(), prefix.end(), '.', '_');
  int& index = next_index_[prefix];
  std::string name;
  do {
    name = prefix + std::to_string(index++);
  } while (module_.root->children.Contains(name) ||
           module_.root->buffers.Contains(name) ||
           module_.root->parameters.Contains(name));
  module_.SetBuffer(name, std::move(value));
  return module_.graph.InsertBefore(position, Op::kGetAttr, name);
}

void ReplaceObserver(Graph& graph, Node* observer_node, Node* value) {
  graph.ReplaceAllUses(observer_node, value);
  graph.Erase(observer_node);
}

Node* InsertDequantize(Graph& graph, Node* node) {
  Node* dequantize = graph.InsertAfter(node, Op::kCallMethod, "dequantize", {node});
  graph.ReplaceAllUses(node, dequantize, /*keep_in_replacement=*/true);
  return dequantize;
}

void WriteQuantizeNodes(GraphModule& module, Node* observer_node,
                        const Observer& observer, const ParameterPrefix& prefix,
                        const std::string& engine, Mode mode, ParameterWriter& writer) {
  Graph& graph = module.graph;
  Node* input = observer_node->args()[0].AsNode();
  Op op = Op::kCallFunction;
  std::string target;
  std::vector<Argument> args = {input};
  if (HasQuantizedTensor(observer.dtype) && !observer.is_dynamic) {
    const Qparams qparams = observer.CalculateQparams();
    const bool per_channel = IsPerChannel(observer.qscheme);
    const std::string name = prefix.path + prefix.suffix;
    args.push_back(writer.Write(
        observer_node, name + "_scale_",
        per_channel ? qparams.scale.Clone() : RealScalar(ScaleValue(qparams))));
    args.push_back(writer.Write(observer_node, name + "_zero_point_",
                                per_channel ? qparams.zero_point.Clone()
                                            : IntegerScalar(ZeroPointValue(qparams))));
    if (per_channel) args.push_back(observer.ch_axis);
    args.push_back(observer.dtype);
    target = per_channel ? "torch.quantize_per_channel" : "torch.quantize_per_tensor";
  } else if (observer.is_dynamic) {
    target = "torch.quantize_per_tensor_dynamic";
    args.push_back(observer.dtype);
    args.push_back(mode == Mode::kStrict ? HasReducedRange(observer)
                                         : engine == "fbgemm" || engine == "x86");
  } else if (observer.dtype == DType::kFloat16) {
    op = Op::kCallMethod;
    target = "to";
    args.push_back(observer.dtype);
  } else {
    if (mode == Mode::kStrict) {
      throw PipelineError("ValueError",
                          "no operator quantizes to " +
                              std::string(DTypeName(observer.dtype)) +
                              " in a reference graph that is not decomposed");
    }
    return;
  }
  Node* quantize = graph.InsertBefore(observer_node, op, target, std::move(args));
  Node* dequantize =
      graph.InsertBefore(observer_node, Op::kCallMethod, "dequantize", {quantize});
  ReplaceObserver(graph, observer_node, dequantize);
}

}  // namespace qconform
