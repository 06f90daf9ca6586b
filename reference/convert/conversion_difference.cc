#include "reference/convert/conversion_difference.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "reference/config/backend_config_maps.h"
#include "reference/config/module_types.h"
#include "reference/convert/memory_format_names.h"
#include "reference/convert/quantize_nodes.h"
#include "reference/convert/reference_module.h"
#include "reference/ir/error.h"
#include "reference/observe/make_observer.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/standalone_module.h"
#include "reference/observe/weight_constructor.h"
#include "reference/qconfig/observer_settings.h"

namespace qconform {
namespace {

// "1 weight", "3 weights"
std::string Count(int64_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

class Search {
 public:
  explicit Search(const Prepared& prepared)
      : prepared_(prepared),
        reference_classes_(RootModuleToReferenceModule(*prepared.backend_config)) {}

  ModeDifferences Run() {
    for (const Node& node : prepared_.module.graph.nodes()) {
      if (const Node* origin = ChannelsLastOrigin(node)) origins_[&node] = origin;
      VisitLowered(node);
      if (node.op() != Op::kCallModule) continue;
      const std::shared_ptr<Module> module = prepared_.module.FindModule(node.target());
      if (module == nullptr) continue;
      if (const std::shared_ptr<Observer> observer = ObserverOf(module)) {
        VisitObserver(node, *observer);
      } else if (const Prepared* inner = ObservedStandaloneOf(*module)) {
        Add("standalone_not_decomposed", node.name(),
            "does not decompose a standalone module in a graph that is", "does");
        for (ModeDifference& difference : ConversionDifferences(*inner)) {
          difference.subject.insert(0, node.name() + ": ");
          differences_.push_back(std::move(difference));
        }
      } else if (prepared_.observed_node_names.count(node.name()) > 0) {
        VisitModule(node, *module);
      }
    }
    Totals();
    return std::move(differences_);
  }

 private:
  void Add(const char* kind, const std::string& subject, std::string torch,
           std::string strict) {
    differences_.push_back({kind, subject, std::move(torch), std::move(strict)});
  }

  void VisitObserver(const Node& node, const Observer& observer) {
    if (observer.is_dynamic) {
      dynamic_ += HasReducedRange(observer) ? 0 : 1;
    } else if (IsNarrow(observer)) {
      ++narrow_;
    } else if (IsConvertible(observer) && !IsQuantizedDType(observer.dtype) &&
               !IsFloatingDType(observer.dtype)) {
      Add("plain_integers", node.name(),
          fmt::format("leaves the observer of {} in a reference graph that is not "
                      "decomposed",
                      DTypeName(observer.dtype)),
          "refuses to convert it");
    }
  }

  // Fewer codes than the dtype has.
  static bool IsNarrow(const Observer& observer) {
    if (!IsQuantizedDType(observer.dtype) || !observer.quant_min || !observer.quant_max) {
      return false;
    }
    const IntegerRange codes = CodeRange(observer.dtype);
    return *observer.quant_min > codes.min || *observer.quant_max < codes.max;
  }

  // What engines' operators cannot do, with nodes between quantized values.
  void VisitLowered(const Node& node) {
    const std::string type = OperationOf(node);
    if (IsRelu(type)) {
      VisitRelu(node);
    } else if (prepared_.observed_node_names.count(node.name()) == 0) {
      return;
    } else if (node.op() == Op::kCallFunction &&
               (type == "operator.add" || type == "torch.add" || type == "operator.mul" ||
                type == "torch.mul")) {
      VisitBinary(node);
    } else if (type == "torch.nn.PReLU") {
      VisitPrelu(node);
    } else if (MemoryFormatRuleOf(type) == MemoryFormatRule::kClamped) {
      VisitClamp(node);
    }
  }

  // The class, function or method that a node calls.
  std::string OperationOf(const Node& node) const {
    if (node.op() != Op::kCallModule) return node.target();
    const std::shared_ptr<Module> module = prepared_.module.FindModule(node.target());
    return module == nullptr ? "" : module->type;
  }

  static bool IsRelu(const std::string& type) {
    return type == "torch.nn.ReLU" || type == "torch.relu" ||
           type == "torch.nn.functional.relu";
  }

  // The observer that the node calls, if it quantizes per tensor by what it saw.
  std::shared_ptr<Observer> QuantizerAt(const Node* node) const {
    if (node == nullptr || node->op() != Op::kCallModule) return nullptr;
    const std::shared_ptr<Observer> observer =
        ObserverOf(prepared_.module.FindModule(node->target()));
    const bool quantizes = observer != nullptr && !observer->is_dynamic &&
                           IsConvertible(*observer) && IsQuantizedDType(observer->dtype);
    return quantizes ? observer : nullptr;
  }

  std::shared_ptr<Observer> QuantizerOfOutput(const Node& node) const {
    for (const Node* user : node.users()) {
      if (std::shared_ptr<Observer> observer = QuantizerAt(user)) return observer;
    }
    return nullptr;
  }

  // A relu right behind an operator of which engines have no form with a relu: they clamp
  // to the least code, which is 0 only if the zero point is that code. Nothing lies below
  // 0 behind a relu, so that an affine observer takes its least code.
  void VisitRelu(const Node& relu) {
    const std::shared_ptr<Observer> output = QuantizerOfOutput(relu);
    const Node* operation = relu.args().empty() ? nullptr : relu.args()[0].AsNode();
    if (output == nullptr || operation == nullptr ||
        prepared_.observed_node_names.count(operation->name()) == 0 ||
        operation->args().empty() ||
        QuantizerAt(operation->args()[0].AsNode()) == nullptr) {
      return;
    }
    static const std::unordered_set<std::string> without_relu_form = {
        "torch.nn.Linear",
        "torch.nn.Conv1d",
        "torch.nn.Conv2d",
        "torch.nn.Conv3d",
        "torch.nn.functional.conv_transpose1d",
        "torch.nn.functional.conv_transpose2d",
        "torch.nn.functional.conv_transpose3d"};
    const std::string type = OperationOf(*operation);
    if (without_relu_form.count(type) == 0) return;
    const IntegerRange codes = CodeRange(output->dtype);
    const bool is_least = !IsSymmetric(output->qscheme) &&
                          output->quant_min.value_or(codes.min) == codes.min;
    if (is_least) return;
    Add("relu_dropped", relu.name(),
        fmt::format("drops it when it lowers {}, a {}, to an engine's operators, which "
                    "have no form with a relu",
                    operation->name(), type),
        "keeps it, in float");
  }

  const Node* OriginOf(const Node* node) const {
    const auto found = origins_.find(node);
    return found == origins_.end() ? nullptr : found->second;
  }

  static bool IsGivenFormat(const Node& node, const char* format) {
    const Argument* given = node.kwargs().Find("memory_format");
    if (given == nullptr && node.args().size() > 1) given = &node.args()[1];
    const OpaqueValue* value = given == nullptr ? nullptr : given->As<OpaqueValue>();
    return value != nullptr && value->text.find(format) != std::string::npos;
  }

  // The operator that made the node's value channels last, as it is once it is quantized;
  // nullptr if it is not. The nodes before it have been visited.
  const Node* ChannelsLastOrigin(const Node& node) const {
    const std::vector<Node*> inputs = node.InputNodes();
    if (inputs.empty()) return nullptr;
    const Node* first = OriginOf(inputs.front());
    const std::string type = OperationOf(node);
    const bool is_quantized = prepared_.observed_node_names.count(node.name()) > 0;
    switch (MemoryFormatRuleOf(type)) {
      case MemoryFormatRule::kChannelsLast:
        if (type.ends_with("1d")) return nullptr;
        return is_quantized ? &node : first;
      case MemoryFormatRule::kIterated:
      case MemoryFormatRule::kClamped:
        return is_quantized ? nullptr : first;
      case MemoryFormatRule::kKept:
      case MemoryFormatRule::kSum:
      case MemoryFormatRule::kSame:
      case MemoryFormatRule::kPooled:
      case MemoryFormatRule::kNormalized:
      case MemoryFormatRule::kRolled:
      case MemoryFormatRule::kSliced:
        return first;
      case MemoryFormatRule::kConcatenated:
        for (const Node* input : inputs) {
          if (OriginOf(input) == nullptr) return nullptr;
        }
        return first;
      case MemoryFormatRule::kCopied:
        if (IsGivenFormat(node, "channels_last")) return &node;
        return type == "contiguous" || IsGivenFormat(node, "contiguous") ? nullptr
                                                                         : first;
      default:
        return nullptr;
    }
  }

  void VisitClamp(const Node& clamp) {
    const std::shared_ptr<Observer> output = QuantizerOfOutput(clamp);
    if (output == nullptr || output->dtype != DType::kQUInt8) return;
    const std::vector<Node*> inputs = clamp.InputNodes();
    const Node* origin = inputs.empty() ? nullptr : OriginOf(inputs.front());
    if (origin == nullptr) return;
    Add("clamp_permutes", clamp.name(),
        fmt::format("has its elements permuted by qnnpack, which clamps the result of {} "
                    "in the order of memory",
                    origin->name()),
        "clamps in float when it lowers to qnnpack's operators");
  }

  void VisitBinary(const Node& node) {
    int quantized = 0;
    for (const Argument& argument : node.args()) {
      if (argument.AsNode() == nullptr) continue;
      if (QuantizerAt(argument.AsNode()) == nullptr) return;
      ++quantized;
    }
    bool is_quantized = QuantizerOfOutput(node) != nullptr;
    for (const Node* user : node.users()) {
      is_quantized = is_quantized ||
                     (IsRelu(OperationOf(*user)) && QuantizerOfOutput(*user) != nullptr);
    }
    if (quantized == 1 && is_quantized) ++with_number_;
  }

  // Engines quantize the factor 1 of positive inputs with the slope's parameters.
  // (qprelu)
  void VisitPrelu(const Node& node) {
    const NodeQConfig* resolved = prepared_.node_qconfigs.Find(node.name());
    const Tensor* slope =
        prepared_.module.FindModule(node.target())->FindTensor("weight");
    if (resolved == nullptr || resolved->qconfig == nullptr ||
        !resolved->qconfig->weight || slope == nullptr ||
        QuantizerOfOutput(node) == nullptr) {
      return;
    }
    double scale = 0;
    double zero_point = 0;
    try {
      const std::shared_ptr<Observer> observer = MakeObserver(*resolved->qconfig->weight);
      observer->Forward(*slope);
      const Qparams qparams = observer->CalculateQparams();
      if (qparams.scale.numel() != 1) return;
      scale = qparams.scale.ValueAt(0);
      zero_point = qparams.zero_point.ValueAt(0);
    } catch (const PipelineError&) {
      return;  // convert refuses it
    }
    const double largest = static_cast<double>(CodeRange(DType::kQUInt8).max);
    if (std::nearbyint(1 / scale) + zero_point <= largest) return;
    Add("prelu_factor_saturates", node.name(),
        fmt::format("multiplies positive inputs by {:.4g} when it lowers to an engine's "
                    "operators: the slope's scale reaches no further",
                    (largest - zero_point) * scale),
        "does the same: only the reference graph multiplies them by 1");
  }

  // A module that becomes a reference module.
  void VisitModule(const Node& node, const Module& module) {
    const NodeQConfig* resolved = prepared_.node_qconfigs.Find(node.name());
    if (resolved == nullptr || resolved->qconfig == nullptr ||
        !resolved->qconfig->weight) {
      return;
    }
    const bool is_qat = IsQatModule(module.type);
    const auto* first = module.children.Find("0");
    const Module& weighted =
        IsFusedModule(module.type) && first != nullptr && !is_qat ? **first : module;
    const ModuleType* type = is_qat ? FindModuleType(module.type) : nullptr;
    const std::string root = type == nullptr ? weighted.type : type->weighted_module;
    if (!reference_classes_.Contains(root)) return;
    const ObserverConstructor& given = *resolved->qconfig->weight;
    const ObserverSettings weight = DescribeObserver(given);
    symmetric_ += weight.IsSymmetric() ? 1 : 0;
    trained_ += is_qat ? 1 : 0;
    if (++calls_[node.target()] == 2) {
      Add("shared_output_scale", node.target(),
          "gives all calls of the module the output scale of the last one when it lowers "
          "to an engine's operators",
          "gives each its own");
    }
    const std::string padding = weighted.Text("padding_mode", "zeros");
    if (padding != "zeros") {
      Add("padding_mode_ignored", node.name(),
          "pads with zeros in the reference module, which has padding_mode '" + padding +
              "'",
          "pads as it says");
    }
    if (!(WeightConstructor(given, root, Mode::kStrict) == given)) {
      Add("transposed_weight_axis", node.name(),
          weight.is_fake_quantize
              ? "takes a scale for each input channel of the weight, axis 0"
              : "refuses a per channel weight of a transposed convolution",
          "takes a scale for each output channel, axis 1");
    }
    if (IsRecurrentLayer(root) && weight.dtype != DType::kQInt8) {
      Add("recurrent_weight_not_observed", node.name(),
          "shows its weights to their observers only if they are qint8",
          "always shows them");
    }
  }

  void Totals() {
    if (with_number_ > 0) {
      Add("own_output_scale", Count(with_number_, "operator") + " with a number",
          "lowers a quantized sum or product with a number to an engine's operator that "
          "chooses its output's scale by itself, whatever the observer saw",
          "does the same: only the reference graph has the observer's");
    }
    if (symmetric_ > 0) {
      Add("symmetric_scheme_lost", Count(symmetric_, "weight"),
          "records a symmetric qscheme as affine in the reference module", "keeps it");
    }
    if (trained_ > 0) {
      Add("trained_weight_observed_again", Count(trained_, "trained weight"),
          "shows the folded weight to its fake-quantizer once more in convert, unless "
          "the graph is decomposed",
          "does not");
    }
    if (narrow_ > 0) {
      Add("range_not_held", Count(narrow_, "observer"),
          "has no way to hold the codes inside an observer's range in a reference graph "
          "that is not decomposed",
          "does the same: only a decomposed graph holds them");
    }
    if (dynamic_ > 0) {
      Add("dynamic_range_of_engine", Count(dynamic_, "dynamic observer"),
          "reduces the range by one bit if the engine is fbgemm or x86, whatever the "
          "observer says",
          "does what the observer says");
    }
  }

  const Prepared& prepared_;
  const OrderedMap<std::string> reference_classes_;
  std::unordered_map<const Node*, const Node*> origins_;  // of channels-last values
  std::unordered_map<std::string, int> calls_;
  int64_t with_number_ = 0;
  int64_t symmetric_ = 0;
  int64_t trained_ = 0;
  int64_t dynamic_ = 0;
  int64_t narrow_ = 0;
  ModeDifferences differences_;
};

}  // namespace

ModeDifferences ConversionDifferences(const Prepared& prepared) {
  return Search(prepared).Run();
}

}  // namespace qconform
