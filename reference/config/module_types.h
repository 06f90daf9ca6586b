// Facts about module classes: which are fused, what they are made of, and which float
// class a QAT class trains.
#ifndef QCONFORM_REFERENCE_CONFIG_MODULE_TYPES_H_
#define QCONFORM_REFERENCE_CONFIG_MODULE_TYPES_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/ir/name_table.h"

namespace qconform {

struct ModuleType {
  std::string name;
  // A subclass of torch.ao.nn.intrinsic's _FusedModule. (QAT classes made of
  // fused ones are, too.)
  bool is_fused = false;
  // Classes of the children that the constructor takes, in execution order.
  std::vector<std::string> children;
  // The class that a QAT module was made from: its _FLOAT_MODULE.
  std::string float_module;
  // The class whose weight it holds: torch.nn.Conv2d for ConvBnReLU2d.
  std::string weighted_module;
};

// nullptr for a class of which nothing is known.
const ModuleType* FindModuleType(std::string_view name);
// torch's classes only.
std::span<const ModuleType> ModuleTypeTable();
// Classes that extensions added.
NameTable<ModuleType>& UserModuleTypes();

bool IsFusedModule(std::string_view name);
// A class of torch.ao.nn.qat or torch.ao.nn.intrinsic.qat, or a user's class that has a
// float_module.
bool IsQatModule(std::string_view name);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_MODULE_TYPES_H_
