#include "reference/pt2e/exported_mode.h"

#include "reference/pt2e/aten_nodes.h"
#include "reference/pt2e/live_nodes.h"
#include "reference/pt2e/qat_pattern.h"
#include "reference/pt2e/replacement_point.h"

namespace qconform {
namespace {

const char* const kTrainingFlag = "_exported_training";
constexpr double kPatternDropout = 0.5;

class ModeChange {
 public:
  ModeChange(ExportedProgram& program, bool training, Mode mode)
      : program_(program),
        training_(training),
        mode_(mode),
        point_(program.module.graph) {}

  void ReplaceAll(const char* target, const char* name) {
    for (Node* node : program_.module.graph.NodePointers()) {
      if (IsCall(*node, target)) Replace(node, name);
    }
  }

 private:
  std::vector<Argument> NewArguments(const Node& node) const {
    const bool own = mode_ == Mode::kStrict;
    if (!IsAtenBatchNorm(node)) {
      return {ArgumentAt(node, 0), own ? ArgumentAt(node, 1) : Argument(kPatternDropout),
              training_};
    }
    return {ArgumentAt(node, 0),
            ArgumentAt(node, 1),
            ArgumentAt(node, 2),
            ArgumentAt(node, 3),
            ArgumentAt(node, 4),
            training_,
            own ? ArgumentAt(node, 6) : Argument(double{kPatternMomentum}),
            own ? ArgumentAt(node, 7) : Argument(double{kPatternEpsilon}),
            false};
  }

  void Replace(Node* node, const char* name) {
    Node* changed =
        point_.Call(point_.Of(*node), node->target(), NewArguments(*node), name);
    const auto found = program_.metadata.find(node->name());
    if (found != program_.metadata.end()) {
      NodeMetadata metadata = found->second;
      program_.metadata[changed->name()] = std::move(metadata);
    }
    program_.module.graph.ReplaceAllUses(node, changed);
    program_.module.graph.Erase(node);
  }

  ExportedProgram& program_;
  bool training_;
  Mode mode_;
  ReplacementPoint point_;
};

void Move(ExportedProgram& program, bool training, Mode mode) {
  Module& root = *program.module.root;
  if (root.Boolean(kTrainingFlag, !training) == training) return;
  root.attributes.Set(kTrainingFlag, training);
  EliminateDeadNodes(program);
  ModeChange change(program, training, mode);
  change.ReplaceAll("aten.dropout.default", "dropout");
  change.ReplaceAll("aten.dropout_.default", "dropout_");
  change.ReplaceAll("aten.batch_norm.default", "batch_norm");
}

}  // namespace

void MoveToEvaluation(ExportedProgram& program, Mode mode) { Move(program, false, mode); }

void MoveToTraining(ExportedProgram& program, Mode mode) { Move(program, true, mode); }

}  // namespace qconform
