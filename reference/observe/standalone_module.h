// Submodules that are prepared and converted by themselves.
#ifndef QCONFORM_REFERENCE_OBSERVE_STANDALONE_MODULE_H_
#define QCONFORM_REFERENCE_OBSERVE_STANDALONE_MODULE_H_

#include <memory>
#include <set>
#include <string>

#include "reference/ir/graph_state.h"
#include "reference/observe/prepare.h"

namespace qconform {

// What stands in the place of a prepared standalone module, whose type is then
// kGraphModuleType.
class ObservedStandalone : public GraphState {
 public:
  explicit ObservedStandalone(Prepared prepared) : prepared_(std::move(prepared)) {}
  GraphModule& graph_module() override { return prepared_.module; }
  const Prepared& prepared() const { return prepared_; }
  std::shared_ptr<ModuleState> Clone() const override {
    return std::make_shared<ObservedStandalone>(prepared_.Clone());
  }

 private:
  Prepared prepared_;
};

// nullptr if the module is no observed standalone one.
const Prepared* ObservedStandaloneOf(const Module& module);

// The graph of a module: its own if it has one; of a torch.nn.Sequential, or of a class
// in `sequential_classes`, its children one after the other, their children in the same
// way where they are such modules. Throws InputError for a class whose forward nobody
// knows.
GraphModule TraceSubmodule(const std::shared_ptr<Module>& module,
                           const std::set<std::string>& sequential_classes = {});

// Settings of the standalone module that `node` calls, by path before class; nullptr
// if it is none. A module that was prepared already has lost its class.
const StandaloneModule* FindStandalone(const PrepareCustomConfig& config,
                                       const GraphModule& module, const Node& node);

// Prepares every standalone module of the matches in place. Without a mapping of its
// own one gets its node's qconfig for all of it. Throws PipelineError("AssertionError")
// for one that does not return a single value.
// (_run_prepare_fx_on_standalone_modules)
void PrepareStandaloneModules(Prepared& prepared);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_STANDALONE_MODULE_H_
