// Which nodes a setting is about, told by the modules that they come from.
#ifndef QCONFORM_REFERENCE_QUANTIZERS_NODE_FILTER_H_
#define QCONFORM_REFERENCE_QUANTIZERS_NODE_FILTER_H_

#include <functional>
#include <string>
#include <vector>

#include "reference/exported/exported_program.h"

namespace qconform {

using NodeFilter = std::function<bool(const Node&)>;

// Nodes with exactly this path in their module stack, the module itself or one around it.
// get_attr nodes and placeholders have no stack and never pass; "" is the root.
// (torchao's get_module_name_filter)
NodeFilter InModuleOfName(const ExportedProgram& program, std::string path);
// The same for the class of a module, "torch.nn.Conv2d" or "my.package.Block".
NodeFilter InModuleOfType(const ExportedProgram& program, const std::string& type);
// Passes what none of the filters passes.
NodeFilter InNone(std::vector<NodeFilter> filters);

// Why no node lies in a module of this name or class, with the nearest that there is;
// empty if some node does.
std::string WhyNoModuleOfName(const ExportedProgram& program, const std::string& path);
std::string WhyNoModuleOfType(const ExportedProgram& program, const std::string& type);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_NODE_FILTER_H_
