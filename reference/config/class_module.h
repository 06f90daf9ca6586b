// Where torch defines its module classes, as opposed to where it offers them.
#ifndef QCONFORM_REFERENCE_CONFIG_CLASS_MODULE_H_
#define QCONFORM_REFERENCE_CONFIG_CLASS_MODULE_H_

#include <string>

namespace qconform {

// "torch.nn.Conv2d" -> "torch.nn.modules.conv.Conv2d": Python's qualified name of the
// class. Other names are unchanged.
std::string DefinedName(const std::string& canonical_name);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_CLASS_MODULE_H_
