#include <deque>
#include <unordered_set>

#include "reference/ir/error.h"
#include "reference/pt2e/aten_nodes.h"
#include "reference/pt2e/dequantize_passes.h"

namespace qconform {
namespace {

bool IsChooseParameters(const Node& node) {
  return IsCall(node, "quantized_decomposed.choose_qparams.tensor") ||
         IsCall(node, "quantized_decomposed.choose_qparams_symmetric.tensor");
}

// Operators that only move the elements of a constant on its way to quantize.
bool MovesConstant(const Node& node) {
  static const auto* const names =
      new std::unordered_set<std::string>{"aten.flatten.using_ints",
                                          "aten.permute.default",
                                          "aten.permute_copy.default",
                                          "aten.slice_copy.Tensor",
                                          "aten.squeeze.dim",
                                          "aten.squeeze_copy.dim",
                                          "aten.transpose.int",
                                          "aten.transpose_.default",
                                          "aten.view_copy.default",
                                          "aten.view.default",
                                          "aten._mkldnn_transpose.default"};
  return node.op() == Op::kCallFunction && names->count(node.target()) > 0;
}

bool IsDynamic(const QuantizationSpecPointer& spec) {
  return std::visit(
      [](const auto& kind) {
        if constexpr (std::is_same_v<std::decay_t<decltype(kind)>,
                                     SharedQuantizationSpec>) {
          return false;
        } else {
          return kind.is_dynamic;
        }
      },
      *spec);
}

class Porting {
 public:
  Porting(ExportedProgram& program, Mode mode) : program_(program), mode_(mode) {}

  void Visit(const Node& node, const QuantizationAnnotation& annotation) {
    for (const auto& [producer, spec] : annotation.inputs) {
      if (spec == nullptr) continue;
      if (IsDynamic(spec)) {
        PortDynamic(producer, node);
      } else {
        PortStatic(producer, node);
      }
    }
    if (annotation.output != nullptr) PortOutput(node);
  }

 private:
  void Copy(const Node& to, const Node& from) {
    const NodeMetadata& source = program_.MetadataOf(from);
    if (source.stack_trace.empty() && source.quantization_tag.empty()) return;
    NodeMetadata& target = program_.MutableMetadataOf(to);
    if (!source.stack_trace.empty()) target.stack_trace = source.stack_trace;
    if (!source.quantization_tag.empty()) {
      target.quantization_tag = source.quantization_tag;
    }
  }

  void PortDynamic(const std::string& producer, const Node& node) {
    const Node* chosen = ChosenBehind(program_.module.graph.Find(producer));
    if (chosen == nullptr) {
      // Of a QAT model that the batch norms were folded in the producer is another node.
      if (mode_ == Mode::kStrict) return;
      throw PipelineError("ValueError", "No chose qparams node found for '" +
                                            node.name() + "' behind '" + producer + "'");
    }
    const std::vector<Node*> readers = ValueUsers(*chosen);
    if (readers.size() != 2) {
      throw PipelineError("InternalError",
                          "Expecting exactly two users of '" + chosen->name() + "'");
    }
    const Node* quantize = readers.back()->users().front();
    const std::vector<Node*> values = ValueUsers(*quantize);
    if (values.size() > 1) {
      throw PipelineError("InternalError",
                          "Expecting a single user of '" + quantize->name() + "'");
    }
    Copy(*chosen, node);
    Copy(*quantize, node);
    Copy(*values.back(), node);
  }

  // The first that chooses parameters, breadth first from the readers of a value.
  static const Node* ChosenBehind(const Node* producer) {
    if (producer == nullptr) return nullptr;
    std::deque<const Node*> queue(producer->users().begin(), producer->users().end());
    std::unordered_set<const Node*> seen(queue.begin(), queue.end());
    while (!queue.empty()) {
      const Node* next = queue.front();
      queue.pop_front();
      if (IsChooseParameters(*next)) return next;
      for (const Node* user : next->users()) {
        if (seen.insert(user).second) queue.push_back(user);
      }
    }
    return nullptr;
  }

  void PortStatic(const std::string& producer, const Node& node) {
    const Node* dequantize = nullptr;
    for (const Argument& argument : node.args()) {
      const Node* input = argument.AsNode();
      if (input != nullptr && IsDecomposedDequantize(*input) &&
          ComesFrom(*input, producer)) {
        dequantize = input;
        break;
      }
    }
    if (dequantize == nullptr) return;
    const Node* quantize = ArgumentAt(*dequantize, 0).AsNode();
    if (quantize == nullptr || !IsDecomposedQuantize(*quantize)) return;
    std::vector<const Node*> moved = {quantize};
    const Node* source = ArgumentAt(*quantize, 0).AsNode();
    while (source != nullptr && MovesConstant(*source)) {
      moved.push_back(source);
      source = ArgumentAt(*source, 0).AsNode();
    }
    if (source != nullptr && source->op() == Op::kGetAttr) {
      for (const Node* each : moved) Copy(*each, *source);
    }
    Copy(*dequantize, node);
  }

  // Whether only nodes of quantization stand between the two.
  static bool ComesFrom(const Node& dequantize, const std::string& producer) {
    const Node* source = &dequantize;
    while (source != nullptr &&
           (IsDecomposedQuantize(*source) || IsDecomposedDequantize(*source) ||
            IsCall(*source, "quantized_decomposed.choose_qparams.tensor"))) {
      source = ArgumentAt(*source, 0).AsNode();
    }
    return source != nullptr && source->name() == producer;
  }

  void PortOutput(const Node& node) {
    const std::vector<Node*> users = ValueUsers(node);
    if (users.empty() || !IsDecomposedQuantize(*users.back())) return;
    Copy(*users.back(), node);
  }

  ExportedProgram& program_;
  Mode mode_;
};

}  // namespace

void PortMetadata(ExportedProgram& program, const Annotations& annotations, Mode mode) {
  Porting porting(program, mode);
  for (const Node& node : program.module.graph.nodes()) {
    const QuantizationAnnotation* annotation = annotations.Find(node);
    if (annotation != nullptr) porting.Visit(node, *annotation);
  }
}

}  // namespace qconform
