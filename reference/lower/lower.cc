#include "reference/lower/lower.h"

#include <algorithm>
#include <unordered_set>

#include "reference/lower/example_values.h"
#include "reference/lower/operator_descriptor.h"
#include "reference/lower/operator_form.h"
#include "reference/lower/program_builder.h"
#include "reference/lower/program_json.h"
#include "reference/lower/quantize_nodes.h"
#include "reference/numerics/scalar_operator.h"
#include "reference/numerics/scheme.h"

namespace qconform {
namespace {

// An operator that a quantize node ends, or that gives float32 as it is.
struct Claim {
  OperatorForm form;
  std::vector<const Node*> nodes;  // in execution order, without the quantize node
};

class Lowering {
 public:
  Lowering(const GraphModule& reference, NodeExamples examples,
           const LowerOptions& options)
      : reference_(reference),
        options_(options),
        examples_(std::move(examples)),
        builder_(reference, examples_) {}

  Program Run() {
    for (const Node& node : reference_.graph.nodes()) {
      if (IsQuantizeNode(node) && Role(node) == NodeRole::kTensor) TryClaim(node);
    }
    for (const Node& node : reference_.graph.nodes()) TryFloatClaim(node);
    DropRunTimeQuantization();
    for (const Node& node : reference_.graph.nodes()) Emit(node);
    return builder_.Take();
  }

 private:
  NodeRole Role(const Node& node) const { return examples_.at(&node).role; }

  // True for codes that were computed or came in, read through a dequantize node.
  bool IsCodes(const Node& node) const {
    const Node* source = IsDequantizeNode(node) ? QuantizedInput(node) : nullptr;
    if (source == nullptr ||
        (!IsQuantizeNode(*source) && source->op() != Op::kPlaceholder)) {
      return false;
    }
    return Role(*source) == NodeRole::kTensor &&
           examples_.at(source).tensors[0].quantization.has_value() &&
           examples_.at(source).tensors[0].quantization->axis < 0;
  }

  void TryClaim(const Node& quantize) {
    const Node* last = QuantizedInput(quantize);
    if (last == nullptr || IsDequantizeNode(*last) || last->op() == Op::kPlaceholder) {
      return;
    }
    const Node* relu_input = ReluInput(*last, reference_);
    if (GivesFloat(*last) || (relu_input != nullptr && GivesFloat(*relu_input))) return;
    try {
      RequireOnlyQuantizeUsers(*last);
      Claim claim = MakeClaim(*last);
      RequireDefinition(claim, quantize);
      claims_.emplace(&quantize, std::move(claim));
    } catch (const NoOperatorForm& refusal) {
      Refuse(*last, refusal.what());
      const Node* before = ReluInput(*last, reference_);
      if (before != nullptr && before->users().size() == 1) {
        Refuse(*before, refusal.what());
      }
      return;
    }
    for (const Node* node : claims_.at(&quantize).nodes) claimed_.insert(node);
  }

  // Reads a quantization at run time, or looks rows up: an operator with a float result.
  bool GivesFloat(const Node& node) const {
    if ((Role(node) != NodeRole::kTensor && Role(node) != NodeRole::kSequence) ||
        node.args().empty()) {
      return false;
    }
    if (node.op() == Op::kCallModule) {
      const std::shared_ptr<Module> module = reference_.FindModule(node.target());
      if (module == nullptr) return false;
      const std::string prefix = "torch.ao.nn.quantized.reference.Embedding";
      if (module->type == prefix || module->type == prefix + "Bag") return true;
    } else if (node.op() != Op::kCallFunction || IsQuantizeNode(node)) {
      return false;
    }
    const Node* input = node.args()[0].AsNode();
    const Node* source =
        input != nullptr && IsDequantizeNode(*input) ? QuantizedInput(*input) : nullptr;
    return source != nullptr && IsDynamicQuantizeNode(*source);
  }

  void TryFloatClaim(const Node& node) {
    if (!GivesFloat(node)) return;
    try {
      Claim claim{FormOf(node, reference_, examples_), {}};
      if (!claim.form.to_float)
        throw NoOperatorForm("its input is quantized at run time");
      claim.nodes = claim.form.absorbed;
      claim.nodes.push_back(&node);
      const Node* last = &node;
      const Node* after = node.users().size() == 1 ? node.users()[0] : nullptr;
      if (after != nullptr && TakesRelu(claim.form) &&
          ReluInput(*after, reference_) == &node && claimed_.count(after) == 0) {
        claim.form.attributes.activation = QC_ACTIVATION_RELU;
        claim.nodes.push_back(after);
        last = after;
      }
      RequireDefinition(claim, *last);
      absorbed_.insert(claim.form.absorbed.begin(), claim.form.absorbed.end());
      claimed_.insert(&node);
      claimed_.insert(last);
      claims_.emplace(last, std::move(claim));
    } catch (const NoOperatorForm& refusal) {
      Refuse(node, refusal.what());
    }
  }

  // Nodes that operators stand for are gone where nobody else reads them.
  void DropRunTimeQuantization() {
    const auto& nodes = reference_.graph.nodes();
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
      if (absorbed_.count(&*node) == 0) continue;
      const auto& users = node->users();
      if (std::all_of(users.begin(), users.end(),
                      [&](const Node* user) { return claimed_.count(user) > 0; })) {
        claimed_.insert(&*node);
      }
    }
  }

  void Refuse(const Node& node, const std::string& reason) {
    reasons_.emplace(&node, node.name() + ": " + reason);
  }

  static void RequireOnlyQuantizeUsers(const Node& node) {
    for (const Node* user : node.users()) {
      if (!IsQuantizeNode(*user)) {
        throw NoOperatorForm("its float result is also used by " + user->name());
      }
    }
  }

  Claim MakeClaim(const Node& last) const {
    const Node* before = ReluInput(last, reference_);
    if (before != nullptr && before->users().size() == 1 && !IsDequantizeNode(*before)) {
      OperatorForm form = FormOf(*before, reference_, examples_);
      if (!TakesRelu(form)) throw NoOperatorForm("no operator fuses it with relu");
      form.attributes.activation = QC_ACTIVATION_RELU;
      RequireCodes(form);
      return {std::move(form), {before, &last}};
    }
    OperatorForm form = FormOf(last, reference_, examples_);
    RequireCodes(form);
    return {std::move(form), {&last}};
  }

  void RequireCodes(const OperatorForm& form) const {
    for (const Operand& operand : form.operands) {
      if (operand.node != nullptr && !operand.plain && !IsCodes(*operand.node)) {
        throw NoOperatorForm("its input " + operand.node->name() + " is float");
      }
    }
  }

  // A golden holds values of operators that have a scalar definition, and of no others.
  void RequireDefinition(const Claim& claim, const Node& result) const {
    Program trial;
    ProgramOperator step = Step(claim, result);
    const auto add = [&](const TensorDescription& tensor) {
      if (!AbiDType(tensor.dtype) || tensor.shape.size() > QC_MAX_RANK) {
        throw NoOperatorForm("the ABI has no such tensor");
      }
      trial.values.push_back(DescribeValue("", tensor));
      return static_cast<int>(trial.values.size()) - 1;
    };
    for (const Operand& operand : claim.form.operands) {
      if (operand.node != nullptr) {
        const Node* source = operand.plain ? operand.node : QuantizedInput(*operand.node);
        if (examples_.at(source).tensors.empty()) {
          throw NoOperatorForm("its input " + source->name() + " is no tensor");
        }
        step.inputs.push_back(add(examples_.at(source).tensors[0]));
      } else if (operand.constant) {
        const Tensor& tensor = operand.constant->tensor;
        step.inputs.push_back(
            add({tensor.dtype(), tensor.shape(), tensor.quantization()}));
        trial.values.back().float_zero_point = operand.constant->float_zero_point;
      } else {
        step.inputs.push_back(-1);
      }
    }
    for (const TensorDescription& tensor : examples_.at(&result).tensors) {
      step.outputs.push_back(add(tensor));
    }
    std::string reason;
    const OperatorDescriptor descriptor(trial, step);
    if (!DefinesOperator(descriptor.descriptor(), &reason)) {
      throw NoOperatorForm(std::string(OperatorKindName(step.kind)) +
                           " has no scalar definition here: " + reason);
    }
  }

  // Why a node that nobody claimed is float.
  std::string Reason(const Node& node) const {
    const auto found = reasons_.find(&node);
    if (found != reasons_.end()) return found->second;
    return node.name() + ": its result is not quantized";
  }

  std::string Scheme(const OperatorForm& form, const Node& quantize) const {
    // Every engine adds the bias of a float result in float.
    if (form.to_float) {
      return form.attributes.dynamic != 0 ? kFloatBiasSchemeName : kRealSchemeName;
    }
    if (form.accumulates) return AccumulatingScheme(options_.config);
    if (!form.moves_codes) return kRealSchemeName;
    const Node* source = QuantizedInput(*form.operands[0].node);
    const TensorDescription& from = examples_.at(source).tensors[0];
    const TensorDescription& to = examples_.at(&quantize).tensors[0];
    return from.dtype == to.dtype && from.quantization == to.quantization
               ? kCopySchemeName
               : kRealSchemeName;
  }

  std::string Pattern(const Claim& claim) const {
    for (const Node* node : claim.nodes) {
      const auto found = options_.patterns.find(node->name());
      if (found != options_.patterns.end()) return found->second;
    }
    return "";
  }

  // Without inputs and outputs.
  ProgramOperator Step(const Claim& claim, const Node& quantize) const {
    ProgramOperator step{claim.form.kind,
                         claim.form.attributes,
                         {},
                         {},
                         Scheme(claim.form, quantize),
                         claim.nodes[claim.form.absorbed.size()]->name(),
                         {},
                         Pattern(claim)};
    for (const Node* node : claim.nodes) step.nodes.push_back(node->name());
    return step;
  }

  void Emit(const Node& node) {
    switch (Role(node)) {
      case NodeRole::kOutput:
        builder_.EndIsland();
        for (const Argument& argument : node.args()) {
          ForEachNode(argument, [&](Node* result) { builder_.AddOutput(*result); });
        }
        return;
      case NodeRole::kConstant:
      case NodeRole::kShapeValue:
        return;
      case NodeRole::kTensor:
      case NodeRole::kSequence:
        break;
    }
    if (node.op() == Op::kPlaceholder) return builder_.AddInput(node);
    const auto claim = claims_.find(&node);
    if (claim != claims_.end()) {
      return builder_.AddOperator(Step(claim->second, node), claim->second.form, node);
    }
    if (claimed_.count(&node) > 0 || IsCodes(node)) return;
    if (EmitItem(node)) return;
    if (IsQuantizeNode(node)) return builder_.AddQuantize(node);
    builder_.AddFloatNode(node, Reason(node));
  }

  // True if the node picks from what an operator gave: no step of its own.
  bool EmitItem(const Node& node) {
    if (node.target() != "operator.getitem" || node.args().size() != 2) return false;
    const Node* source = node.args()[0].AsNode();
    const int64_t* index = node.args()[1].As<int64_t>();
    if (source == nullptr || index == nullptr || !builder_.IsOperatorSequence(*source)) {
      return false;
    }
    builder_.AddItem(node, *source, *index);
    return true;
  }

  const GraphModule& reference_;
  const LowerOptions& options_;
  const NodeExamples examples_;
  ProgramBuilder builder_;
  std::unordered_map<const Node*, Claim> claims_;
  std::unordered_set<const Node*> claimed_;
  std::unordered_set<const Node*> absorbed_;
  std::unordered_map<const Node*, std::string> reasons_;
};

}  // namespace

std::string AccumulatingScheme(const std::string& config) {
  const bool rounds_bias =
      config == "qnnpack" || config == "xnnpack" || config == "executorch";
  return rounds_bias ? kRoundedBiasSchemeName : kFloatBiasSchemeName;
}

Program Lower(const GraphModule& reference, const std::vector<Tensor>& example_inputs,
              const LowerOptions& options) {
  return Lowering(reference, TraceExample(reference, example_inputs, *options.registry),
                  options)
      .Run();
}

LoweringSummary Summarize(const Program& program) {
  LoweringSummary summary;
  for (const ProgramStep& step : program.steps) {
    if (const FloatIsland* island = std::get_if<FloatIsland>(&step)) {
      ++summary.islands;
      summary.island_nodes += static_cast<int>(island->nodes.size());
      continue;
    }
    const qc_operator_kind kind = std::get<ProgramOperator>(step).kind;
    const bool conversion =
        kind == QC_QUANTIZE || kind == QC_DEQUANTIZE || kind == QC_REQUANTIZE;
    ++(conversion ? summary.conversions : summary.operators);
  }
  return summary;
}

}  // namespace qconform
