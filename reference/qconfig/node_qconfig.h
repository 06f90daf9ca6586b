// The qconfig of every node of a graph and the rule that it came from.
#ifndef QCONFORM_REFERENCE_QCONFIG_NODE_QCONFIG_H_
#define QCONFORM_REFERENCE_QCONFIG_NODE_QCONFIG_H_

#include <compare>
#include <set>
#include <string>
#include <vector>

#include "reference/ir/module.h"
#include "reference/qconfig/qconfig_mapping.h"

namespace qconform {

// Which setting of a mapping decided.
struct QConfigRule {
  enum class Kind {
    kNone,  // placeholders and outputs get no qconfig
    kGlobal,
    kObjectType,
    kModuleNameRegex,
    kModuleName,
    kModuleNameObjectTypeOrder,
  };
  Kind kind = Kind::kNone;
  // The key within its kind: type, regular expression, name, or for an order
  // rule its "name, type, index".
  std::string key;
  bool operator==(const QConfigRule&) const = default;
  auto operator<=>(const QConfigRule&) const = default;
};

// "object_type torch.nn.Linear", "global", ...
std::string ToText(const QConfigRule& rule);

struct NodeQConfig {
  QConfigPointer qconfig;
  QConfigRule rule;
};

// By node name, in graph order. Nodes that call an observer have no entry.
// (torch.ao.quantization.fx.qconfig_mapping_utils._generate_node_name_to_qconfig)
// Throws InputError for a regular expression that does not compile.
OrderedMap<NodeQConfig> NodeQConfigs(const GraphModule& module,
                                     const QConfigMapping& mapping);

// The settings of the mapping that are not among `used`, in the order in which they
// stand in it. A global None is no setting.
std::vector<QConfigRule> UnusedRules(const QConfigMapping& mapping,
                                     const std::set<QConfigRule>& used);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QCONFIG_NODE_QCONFIG_H_
