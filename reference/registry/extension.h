// What a user adds to the pipeline: functions and classes of their own, by the names
// under which backend configs, qconfig mappings and graphs refer to them.
#ifndef QCONFORM_REFERENCE_REGISTRY_EXTENSION_H_
#define QCONFORM_REFERENCE_REGISTRY_EXTENSION_H_

#include <functional>
#include <string>
#include <vector>

#include "reference/convert/custom_conversion.h"
#include "reference/fuse/fuser_method.h"
#include "reference/match/node_getter.h"
#include "reference/observe/make_observer.h"
#include "reference/ops/registry.h"
#include "reference/pt2e/derive_function.h"

namespace qconform {

// A leaf module of a user's own: the graph calls it, the tracer did not look inside.
struct LeafModule {
  std::string type;          // "my_npu.Scale", as graphs and patterns spell it
  ModuleDefinition forward;  // what it computes; float32 in, float32 out
  // Each may stay empty. The QAT class runs `forward` on a fake-quantized weight, the
  // reference class on a quantized and dequantized one; a config names them as
  // qat_module and reference_quantized_module_for_root.
  std::string qat_type;
  std::string reference_type;
};

// The one registry. What an extension adds counts in the whole process, for every stage,
// until the extension ends; so it must outlive the graphs that use it. Add everything
// before the stages run: the tables are not locked.
//
// Every Add throws InputError, naming both owners, for a name that is taken.
class Extension {
 public:
  // `name` says in messages whose entries these are: "my_npu".
  explicit Extension(std::string name) : name_(std::move(name)) {}
  // Takes every name back.
  ~Extension();
  Extension(const Extension&) = delete;
  Extension& operator=(const Extension&) = delete;

  const std::string& name() const { return name_; }

  // For the keys fuser_method, root_node_getter and extra_inputs_getter of an entry.
  void AddFuserMethod(const std::string& name, FuserFunction fuser);
  void AddRootNodeGetter(const std::string& name, RootNodeGetter getter);
  void AddExtraInputsGetter(const std::string& name, ExtraInputsGetter getter);

  // For "class" in a qconfig. `class_name` has a module ("my_npu.PercentileObserver"),
  // so that it is never one of torch's. `make` reads the kwargs of the qconfig and sets
  // dtype, qscheme and what else Observer declares; the pipeline checks these against
  // the backend's constraints before the observer sees data.
  void AddObserver(const std::string& class_name, ObserverFactory make);

  void AddLeafModule(const LeafModule& module);
  // A class of modules that runs its children in order, and counts as one operator for
  // patterns: what a fuser method returns (MakeFusedModule). `parts` are the classes of
  // the children; the first holds the weight.
  // With extra inputs it needs a `forward` of its own.
  void AddFusedModule(const std::string& type, const std::vector<std::string>& parts,
                      ModuleDefinition forward = nullptr);
  // A class that runs its children in order and is no fused module, as
  // torch.nn.Sequential.
  void AddSequential(const std::string& type);
  // A function or method that the interpreter does not know.
  void AddFunction(const std::string& target, FunctionDefinition definition);
  void AddMethod(const std::string& name, FunctionDefinition definition);

  // How convert makes the quantized module of an observed custom class.
  void AddCustomConversion(const std::string& observed_type, CustomConversion convert);

  // For DerivedQuantizationSpec: parameters from those of other places.
  void AddDeriveFunction(const std::string& name, DeriveFunction derive);

 private:
  template <typename T>
  void AddTo(NameTable<T>& table, const std::string& name, T value);
  void AddModule(const std::string& type, ModuleDefinition definition);

  std::string name_;
  std::vector<std::function<void()>> undo_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_REGISTRY_EXTENSION_H_
