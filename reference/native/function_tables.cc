#include "reference/native/function_tables.h"

#include <unordered_map>
#include <utility>

#include "reference/ir/error.h"

namespace qconform {
namespace {

const std::unordered_map<std::string, WeightedFunction>& Functions() {
  static const auto* functions = [] {
    auto* table = new std::unordered_map<std::string, WeightedFunction>;
    (*table)["torch.nn.functional.linear"] = {WeightedKind::kLinear, 0, "linear"};
    for (int rank = 1; rank <= 3; ++rank) {
      const std::string ending = std::to_string(rank) + "d";
      // F.conv2d and torch.conv2d are one function.
      for (const std::string library : {"torch.nn.functional.", "torch."}) {
        (*table)[library + "conv" + ending] = {WeightedKind::kConvolution, rank,
                                               "conv" + ending};
        (*table)[library + "conv_transpose" + ending] = {
            WeightedKind::kTransposedConvolution, rank, "conv_transpose" + ending};
      }
    }
    return table;
  }();
  return *functions;
}

}  // namespace

const WeightedFunction* FindWeightedFunction(const Node& node) {
  if (node.op() != Op::kCallFunction) return nullptr;
  const auto found = Functions().find(node.target());
  return found == Functions().end() ? nullptr : &found->second;
}

std::string PrepackOperator(const WeightedFunction& function,
                            const Node& quantized_weight) {
  if (function.kind != WeightedKind::kLinear) {
    return "quantized." + function.operation + "_prepack";
  }
  const DType* dtype = quantized_weight.args().empty()
                           ? nullptr
                           : quantized_weight.args().back().As<DType>();
  if (dtype != nullptr && *dtype == DType::kFloat16) {
    return "quantized.linear_prepack_fp16";
  }
  if (dtype != nullptr && *dtype == DType::kQInt8) return "quantized.linear_prepack";
  throw PipelineError(
      "Exception", "can't get linear prepack op for dtype of " + quantized_weight.name());
}

std::vector<Argument> PrepackArguments(const WeightedFunction& function, const Node& node,
                                       Node* quantized_weight) {
  std::vector<Argument> args = {quantized_weight};
  args.insert(args.end(), node.args().begin() + 2, node.args().end());
  const auto wrap = [&](size_t index) {
    if (index >= args.size()) return;
    if (args[index].As<int64_t>() != nullptr || args[index].As<bool>() != nullptr) {
      args[index] = Argument::Tuple({args[index]});
    }
  };
  if (function.rank == 1) {
    for (size_t index : {2, 3, 4}) wrap(index);
  }
  if (function.kind == WeightedKind::kTransposedConvolution) {
    // The fifth is the number of groups.
    if (function.rank == 1) wrap(6);
    // The function takes groups before dilation, its prepack dilation before groups.
    if (args.size() > 6) std::swap(args[5], args[6]);
  }
  return args;
}

}  // namespace qconform
