// A tree of modules with parameters: torch.nn.Module as data, and the pair of a
// graph and its root module: torch.fx.GraphModule.
#ifndef QCONFORM_REFERENCE_IR_MODULE_H_
#define QCONFORM_REFERENCE_IR_MODULE_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "reference/ir/graph.h"
#include "reference/ir/ordered_map.h"
#include "reference/ir/tensor.h"

namespace qconform {

// What a later stage attaches to a module (an observer, a fake-quantizer, a qconfig).
// Owned by the module; Clone() makes an independent copy.
class ModuleState {
 public:
  virtual ~ModuleState() = default;
  virtual std::shared_ptr<ModuleState> Clone() const = 0;
};

struct Module {
  // Canonical name of the class, e.g. "torch.nn.Conv2d".
  std::string type;
  bool training = false;
  // Constructor values that the forward reads: in_channels, stride, eps, ...
  OrderedMap<Argument> attributes;
  // A registered but absent parameter (bias=False) is nullopt.
  OrderedMap<std::optional<Tensor>> parameters;
  OrderedMap<std::optional<Tensor>> buffers;
  OrderedMap<std::shared_ptr<Module>> children;
  std::shared_ptr<ModuleState> state;

  // Parameter or buffer `name`; nullptr if absent or None.
  const Tensor* FindTensor(std::string_view name) const;
  // Attribute as integer, or `fallback` if absent or of another kind.
  int64_t Integer(const std::string& name, int64_t fallback) const;
  double Real(const std::string& name, double fallback) const;
  bool Boolean(const std::string& name, bool fallback) const;
  std::string Text(const std::string& name, const std::string& fallback) const;

  // A deep copy: tensors, children and state are independent. A module or state that
  // stands at two places is one object in the copy, too.
  std::shared_ptr<Module> Clone() const;

  // The same with the parameters' storage shared, which no forward writes to: who changes
  // their values puts a new tensor in the old one's place. Buffers are copied.
  std::shared_ptr<Module> CloneSharingParameters() const;
};

// The module that owns a node: path ("" for the root) and class ("" for the root).
struct NodeScope {
  std::string path;
  std::string type;
};

struct GraphModule {
  Graph graph;
  std::shared_ptr<Module> root = std::make_shared<Module>();
  // By node name; a node without an entry belongs to the root.
  std::unordered_map<std::string, NodeScope> scopes;

  // The submodule at a dotted path; the root for "". nullptr if there is none.
  std::shared_ptr<Module> FindModule(std::string_view path) const;
  // The same without a share in its ownership.
  Module* ModuleAt(std::string_view path) const;
  // Puts a submodule at a path; the parents must exist.
  void SetModule(std::string_view path, std::shared_ptr<Module> module);
  bool EraseModule(const std::string& path);
  // The parameter or buffer at a dotted path, for get_attr. nullptr if absent.
  const Tensor* FindTensor(std::string_view path) const;
  // Registers a buffer on the root under an undotted name.
  void SetBuffer(const std::string& name, Tensor tensor);

  GraphModule Clone() const;
  GraphModule CloneSharingParameters() const;
};

// "a.b.c" -> {"a.b", "c"}; "c" -> {"", "c"}.
std::pair<std::string, std::string> SplitParent(const std::string& path);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_MODULE_H_
