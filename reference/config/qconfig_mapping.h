// Which qconfig which part of a model gets: torch.ao.quantization.QConfigMapping.
#ifndef QCONFORM_REFERENCE_CONFIG_QCONFIG_MAPPING_H_
#define QCONFORM_REFERENCE_CONFIG_QCONFIG_MAPPING_H_

#include <string>
#include <vector>

#include "reference/config/qconfig.h"
#include "reference/ir/ordered_map.h"

namespace qconform {

// Priority rises downward. A value of nullptr says "do not quantize".
struct QConfigMapping {
  struct OrderRule {
    std::string module_name;
    std::string object_type;
    int index = 0;
    QConfigPointer qconfig;
  };

  QConfigPointer global;
  // Module class, function, or method name.
  OrderedMap<QConfigPointer> object_type;
  // Regular expressions, anchored at the start only; the first match wins.
  OrderedMap<QConfigPointer> module_name_regex;
  OrderedMap<QConfigPointer> module_name;
  std::vector<OrderRule> module_name_object_type_order;

  // An equal key replaces the value and keeps its place.
  void SetOrder(const std::string& module_name, const std::string& object_type, int index,
                QConfigPointer qconfig);
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_QCONFIG_MAPPING_H_
