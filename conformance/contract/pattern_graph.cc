#include "conformance/contract/pattern_graph.h"

#include <algorithm>

#include "conformance/contract/operator_sample.h"
#include "conformance/contract/pattern_atom.h"
#include "reference/config/module_types.h"
#include "reference/formats/argument_json.h"
#include "reference/ir/error.h"
#include "reference/observe/used_modules.h"
#include "reference/ops/interpreter.h"

namespace qconform {
namespace {

constexpr int kBatches = 2;

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// The first operand that is an operation; nullptr if none is.
const Pattern* Operation(const std::vector<Pattern>& operands) {
  const auto found = std::find_if(operands.begin(), operands.end(), HasOperation);
  return found == operands.end() ? nullptr : &*found;
}

// In training a batch norm divides by statistics of the batch, which are no exact
// numbers, and a dropout is random.
bool IsInexactInTraining(const Module& module) {
  const std::string leaf = LeafOf(module.type);
  if (leaf.starts_with("BatchNorm") || leaf.starts_with("Dropout")) return true;
  return std::any_of(
      module.children.begin(), module.children.end(),
      [](const auto& child) { return IsInexactInTraining(*child.second); });
}

class Builder {
 public:
  // `swapped`: a QAT class stands in the pattern.
  Builder(Surroundings surroundings, bool swapped)
      : surroundings_(surroundings), swapped_(swapped) {}

  PatternGraph Build(const Pattern& pattern, bool train) {
    std::vector<Argument> results;
    Node* last = Instance(pattern);
    switch (surroundings_) {
      case Surroundings::kChain:
        main_ = last;
        last = Instance(pattern);
        break;
      case Surroundings::kSecondUser:
        results.push_back(last);
        main_ = last;
        last = Instance(pattern);
        break;
      case Surroundings::kTwoReaders:
        results.push_back(last);
        main_ = first_;
        last = Instance(pattern);
        break;
      case Surroundings::kReuse:
        results.push_back(last);
        main_ = first_;
        reuse_ = 0;
        last = Instance(pattern);
        break;
      case Surroundings::kInnerUser:
        results.push_back(inner_);
        break;
      default:
        break;
    }
    results.push_back(last);
    return Finish(results.size() == 1 ? results[0] : Argument::Tuple(results), train);
  }

  PatternGraph Path(const std::string& type, const std::vector<std::string>& paths) {
    Node* last = Operand(FindOperatorSample(type, true));
    for (const std::string& path : paths) {
      const OperatorSample sample = FindOperatorSample(type, true);
      std::string parent;
      for (size_t dot = path.find('.'); dot != std::string::npos;
           dot = path.find('.', dot + 1)) {
        parent = path.substr(0, dot);
        if (graph_.module.FindModule(parent) == nullptr) {
          graph_.module.SetModule(parent, std::make_shared<Module>());
        }
      }
      last = Call(path, sample.module, {last});
    }
    return Finish(last, false);
  }

 private:
  // One match of the pattern.
  Node* Instance(const Pattern& pattern) {
    main_used_ = false;
    return Make(pattern);
  }

  // As deep as a person writes patterns.
  Node* Make(const Pattern& pattern) {
    const Pattern& head = pattern.Head();
    if (head.IsTuple() || head.kind() == Pattern::Kind::kMatchAll ||
        head.kind() == Pattern::Kind::kLiteral) {
      throw InputError(pattern.HumanText(), "no operation stands at its head",
                       "a module class, a function or a method");
    }
    const OperatorSample sample = SampleOf(head);
    operands_ = {};
    std::vector<Pattern> operands;
    if (pattern.IsTuple()) {
      operands.assign(pattern.items().begin() + 1, pattern.items().end());
    }
    size_t next = 0;
    std::vector<Argument> arguments;
    for (const ordered_json& item : sample.arguments) {
      arguments.push_back(MakeArgument(item, sample, operands, next));
    }
    if (next < operands.size()) {
      throw InputError(pattern.HumanText(),
                       "has " + std::to_string(operands.size()) + " operands",
                       std::to_string(next) + " of " + head.name());
    }
    if (sample.module != nullptr) return MakeModule(sample, std::move(arguments));
    const bool method = head.kind() == Pattern::Kind::kMethod;
    if (surroundings_ != Surroundings::kKeyword || method) {
      return graph_.module.graph.Append(method ? Op::kCallMethod : Op::kCallFunction,
                                        head.name(), std::move(arguments));
    }
    return MakeWithKeywords(head.name(), sample, std::move(arguments));
  }

  Node* MakeWithKeywords(const std::string& name, const OperatorSample& sample,
                         std::vector<Argument> arguments) {
    OrderedMap<Argument> keywords;
    // Everything behind a keyword is one, too: only what stands last may be.
    while (arguments.size() > 1) {
      const ordered_json& item = sample.arguments[arguments.size() - 1];
      if (!item.is_object() || !(item.contains("$weight") || item.contains("$bias"))) {
        break;
      }
      keywords.Set(item.begin().key().substr(1), arguments.back());
      arguments.pop_back();
    }
    return graph_.module.graph.Append(Op::kCallFunction, name, std::move(arguments),
                                      std::move(keywords));
  }

  Argument MakeArgument(const ordered_json& item, const OperatorSample& sample,
                        const std::vector<Pattern>& operands, size_t& next) {
    if (IsOperand(item)) return MakeOperand(item, sample, operands, next);
    if (item.is_object() && (item.contains("$weight") || item.contains("$bias"))) {
      const bool bias = item.contains("$bias");
      if (bias && surroundings_ == Surroundings::kNoBias) return Argument();
      return Parameter(bias ? "bias" : "weight", item.begin()->get<Shape>(),
                       sample.domain == Domain::kNorm);
    }
    if (item.is_object() && item.contains("l")) {
      std::vector<Argument> items;
      for (const ordered_json& inner : item.at("l")) {
        items.push_back(MakeArgument(inner, sample, operands, next));
      }
      return Argument::List(std::move(items));
    }
    return ArgumentFromJson(item);
  }

  Argument MakeOperand(const ordered_json& item, const OperatorSample& sample,
                       const std::vector<Pattern>& operands, size_t& next) {
    const size_t index = next++;
    if (index < operands.size()) {
      const Pattern& operand = operands[index];
      if (operand.kind() == Pattern::Kind::kLiteral) return operand.literal();
      if (operand.kind() == Pattern::Kind::kMethod && index > 0) {
        return Argument(operand.name());  // a name, as of getattr
      }
      if (operand.kind() == Pattern::Kind::kMatchAll) {
        const Pattern* twin =
            surroundings_ == Surroundings::kTwin ? Operation(operands) : nullptr;
        return twin == nullptr ? Operand(sample) : Make(*twin);
      }
      Node* node = Make(operand);
      if (inner_ == nullptr) inner_ = node;
      return node;
    }
    const std::string text = item.get<std::string>();
    if (text != "$in") {
      next = index;  // no operand of the pattern
      return ArgumentFromJson(ordered_json::parse(text.substr(4)));
    }
    // Past the pattern: count it only where the pattern names it.
    next = std::min(next, operands.size());
    ++operands_;
    if (surroundings_ == Surroundings::kScalar && operands_ == 2) return Argument(0.5);
    if (surroundings_ == Surroundings::kNoTensors) {
      return operands_ == 1 ? Argument(graph_.module.graph.Append(Op::kCallMethod, "size",
                                                                  {Operand(sample), 0}))
                            : Argument(1);
    }
    return Operand(sample);
  }

  // The value that the pattern reads next: first what it is given, then new inputs.
  Node* Operand(const OperatorSample& sample) {
    if (main_ != nullptr &&
        (!main_used_ || surroundings_ == Surroundings::kSameOperand)) {
      main_used_ = true;
      return main_;
    }
    const std::string name(1, static_cast<char>('x' + inputs_.size() % 3));
    const std::string unique =
        inputs_.size() < 3 ? name : name + std::to_string(inputs_.size());
    Node* input = nullptr;
    if (inputs_.empty()) {
      input = graph_.module.graph.Append(Op::kPlaceholder, unique);
    } else {
      // Behind the other placeholders.
      input = graph_.module.graph.InsertAfter(inputs_.back().node, Op::kPlaceholder,
                                              unique, {}, {}, unique);
    }
    inputs_.push_back({input, sample.input, sample.domain});
    if (first_ == nullptr) first_ = input;
    if (main_ == nullptr) {
      main_ = input;
      main_used_ = true;
    }
    return input;
  }

  Node* Parameter(const std::string& name, const Shape& shape, bool unit) {
    const std::string path = name + "_" + std::to_string(parameters_++);
    graph_.module.root->parameters.Set(path,
                                       SampleParameter("root." + path, shape, unit));
    return graph_.module.graph.Append(Op::kGetAttr, path);
  }

  Node* MakeModule(const OperatorSample& sample, std::vector<Argument> arguments) {
    if (surroundings_ == Surroundings::kNoBias) DropBias(*sample.module);
    const ModuleType* type = FindModuleType(sample.module->type);
    if (swapped_ && type != nullptr && !type->children.empty()) {
      // Fusion makes the class again.
      Node* last = arguments[0].AsNode();
      for (const auto& [name, child] : sample.module->children) {
        last = Call(NextPath(child->type), child, {last});
      }
      return last;
    }
    if (reuse_ >= 0) {
      const std::string& path = paths_.at(static_cast<size_t>(reuse_++));
      return Call(path, graph_.module.FindModule(path), std::move(arguments));
    }
    return Call(NextPath(sample.module->type), sample.module, std::move(arguments));
  }

  static void DropBias(Module& module) {
    if (module.parameters.Contains("bias")) {
      module.parameters.Set("bias", std::nullopt);
    }
    for (const auto& [name, child] : module.children) DropBias(*child);
  }

  std::string NextPath(const std::string& type) {
    paths_.push_back(Lower(LeafOf(type)) + "_" + std::to_string(paths_.size()));
    return paths_.back();
  }

  Node* Call(const std::string& path, const std::shared_ptr<Module>& module,
             std::vector<Argument> arguments) {
    if (graph_.module.FindModule(path) == nullptr) graph_.module.SetModule(path, module);
    Node* node = graph_.module.graph.Append(Op::kCallModule, path, std::move(arguments));
    graph_.module.scopes[node->name()] = {path, module->type};
    return node;
  }

  PatternGraph Finish(const Argument& result, bool train) {
    graph_.module.graph.Append(Op::kOutput, "output", {result});
    graph_.is_qat = train;
    for (int batch = 0; batch < kBatches; ++batch) {
      std::vector<Tensor> tensors;
      for (const Input& input : inputs_) {
        Tensor tensor = SampleTensor(input.domain, input.shape,
                                     std::to_string(batch) + "." + input.node->name());
        // Each batch has a range of its own.
        for (int64_t i = 0;
             batch > 0 && input.domain == Domain::kPlain && i < tensor.numel(); ++i) {
          tensor.data<float>()[i] *= 2;
        }
        tensors.push_back(std::move(tensor));
      }
      graph_.calibration.push_back(std::move(tensors));
    }
    if (train && IsInexactInTraining(*graph_.module.root)) graph_.calibration.clear();
    if (!graph_.calibration.empty()) try {
        const std::vector<Tensor>& first = graph_.calibration[0];
        const GraphModule copy = graph_.module.Clone();
        Interpreter(copy).Run(std::vector<Value>(first.begin(), first.end()));
      } catch (const InputError&) {
        graph_.calibration.clear();
      }
    if (train) SetTraining(*graph_.module.root, true);
    return std::move(graph_);
  }

  struct Input {
    Node* node;
    Shape shape;
    Domain domain;
  };

  const Surroundings surroundings_;
  const bool swapped_;
  PatternGraph graph_;
  std::vector<Input> inputs_;
  std::vector<std::string> paths_;
  Node* first_ = nullptr;  // the first input
  Node* main_ = nullptr;   // what the next instance reads first
  Node* inner_ = nullptr;  // the first value inside the pattern
  bool main_used_ = false;
  int operands_ = 0;
  int parameters_ = 0;
  int reuse_ = -1;  // the module that the second instance calls next
};

}  // namespace

PatternGraph BuildPatternGraph(const Pattern& pattern, Surroundings surroundings,
                               bool train) {
  const bool swapped = HasQatClass(pattern);
  return Builder(surroundings, swapped).Build(pattern, train || swapped);
}

std::optional<PatternGraph> BuildModulePath(const Pattern& pattern,
                                            const std::vector<std::string>& paths) {
  if (!IsModuleAtom(pattern) || HasQatClass(pattern) || IsFusedModule(pattern.name()) ||
      !Chains(pattern)) {
    return std::nullopt;
  }
  return Builder(Surroundings::kAlone, false).Path(pattern.name(), paths);
}

}  // namespace qconform
