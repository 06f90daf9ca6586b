// Facts about torch's module classes: which are fused, what they are made of, and
// which float class a QAT class trains.
#ifndef QCONFORM_REFERENCE_CONFIG_MODULE_TYPES_H_
#define QCONFORM_REFERENCE_CONFIG_MODULE_TYPES_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qconform {

struct ModuleType {
  std::string_view name;
  // A subclass of torch.ao.nn.intrinsic's _FusedModule. (QAT classes made of
  // fused ones are, too.)
  bool is_fused = false;
  // Classes of the children that the constructor takes, in execution order.
  std::vector<std::string_view> children;
  // The class that a QAT module was made from: its _FLOAT_MODULE.
  std::string_view float_module;
  // The class whose weight it holds: torch.nn.Conv2d for ConvBnReLU2d.
  std::string_view weighted_module;
};

// nullptr for a class that the table does not hold.
const ModuleType* FindModuleType(std::string_view name);
std::span<const ModuleType> ModuleTypeTable();

bool IsFusedModule(std::string_view name);
// A class of torch.ao.nn.qat or torch.ao.nn.intrinsic.qat.
bool IsQatModule(std::string_view name);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_MODULE_TYPES_H_
