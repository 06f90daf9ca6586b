#include "cli/parity/author_classes.h"

#include <stdexcept>
#include <vector>

#include "cli/parity/corpus_extension.h"
#include "cli/parity/error_bound.h"
#include "cli/parity/fx_stages.h"
#include "reference/ir/graph_state.h"

namespace qconform::parity {
namespace {

bool IsAuthors(const Module& module) {
  return module.type.find('.') == std::string::npos && SubgraphOf(module) == nullptr;
}

void AddClassesOf(Module& root) {
  std::vector<Module*> open = {&root};
  while (!open.empty()) {
    Module* module = open.back();
    open.pop_back();
    for (auto& [name, child] : module->children) {
      if (!child) continue;
      open.push_back(child.get());
      if (IsAuthors(*child)) AddSequentialClass(child->type);
    }
  }
}

// Why the float graph does not give the recorded output within its bound; nothing if it
// does.
std::optional<std::string> WhyNotOutput(const FxRecord& record,
                                        const ordered_json& output) {
  GraphModule module = record.float_module.Clone();
  try {
    const auto got =
        BoundedValues(module, Registry::BuiltIn()).Run(record.float_test_input);
    if (!got) return std::nullopt;
    RecordReport inside("");
    const auto difference =
        CompareValue("output", got->value, got->error, output, inside);
    if (difference) return "it gives another " + difference->where;
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> WhyValuesAreUnknown(const FxRecord& record,
                                               const ordered_json& float_stage) {
  AddClassesOf(*record.float_module.root);
  if (!float_stage.contains("output")) return std::nullopt;
  const auto failure = WhyNotOutput(record, float_stage.at("output"));
  if (!failure) return std::nullopt;
  for (const Node& node : record.float_module.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    const std::shared_ptr<Module> module = record.float_module.FindModule(node.target());
    if (module && IsAuthors(*module)) {
      return "the forward of " + module->type + " is not in the record";
    }
  }
  // What prepare replaces is never run.
  for (const auto& [type, observed] : record.custom_config.static_observed_classes) {
    if (failure->find(type) != std::string::npos) return std::nullopt;
  }
  // Anything else that goes wrong shows up as a difference later.
  if (failure->find("no definition of") == std::string::npos) return std::nullopt;
  return failure;
}

}  // namespace qconform::parity
