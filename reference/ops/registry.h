// The operators that the interpreter knows, by canonical public name.
#ifndef QCONFORM_REFERENCE_OPS_REGISTRY_H_
#define QCONFORM_REFERENCE_OPS_REGISTRY_H_

#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "reference/ir/module.h"
#include "reference/ops/call.h"
#include "reference/ops/value.h"

namespace qconform {

// A function or a method; a method's first argument is the object itself.
using FunctionDefinition = std::function<Value(const Call&)>;
// The forward of a module class.
using ModuleDefinition = std::function<Value(Module&, const Call&)>;

class Registry {
 public:
  // A later definition of the same name replaces the earlier one.
  void AddFunction(const std::string& target, FunctionDefinition definition);
  void AddMethod(const std::string& name, FunctionDefinition definition);
  void AddModule(const std::string& type, ModuleDefinition definition);
  // A class whose forward runs its children in order (torch.nn.Sequential).
  void AddSequential(const std::string& type);

  // nullptr if unknown.
  const FunctionDefinition* FindFunction(const std::string& target) const;
  const FunctionDefinition* FindMethod(const std::string& name) const;
  const ModuleDefinition* FindModule(const std::string& type) const;
  bool IsSequential(const std::string& type) const;

  // The names of all that were added, in no order.
  std::vector<std::string> Functions() const;
  std::vector<std::string> Methods() const;
  std::vector<std::string> Modules() const;

  // Everything in this folder. Copy it to add definitions of your own.
  static const Registry& BuiltIn();
  // The same, with quantize functions that saturate as torch documents where its own wrap
  // round (numerics/quantize.h).
  static const Registry& Saturating();

 private:
  std::unordered_map<std::string, FunctionDefinition> functions_;
  std::unordered_map<std::string, FunctionDefinition> methods_;
  std::unordered_map<std::string, ModuleDefinition> modules_;
  std::unordered_set<std::string> sequential_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_REGISTRY_H_
