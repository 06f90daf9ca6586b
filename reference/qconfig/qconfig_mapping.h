// Which qconfig which part of a model gets: torch.ao.quantization.QConfigMapping.
#ifndef QCONFORM_REFERENCE_QCONFIG_QCONFIG_MAPPING_H_
#define QCONFORM_REFERENCE_QCONFIG_QCONFIG_MAPPING_H_

#include <cstdint>
#include <string>

#include "reference/ir/ordered_map.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

// Priority rises downward. A value of nullptr says "do not quantize".
struct QConfigMapping {
  QConfigPointer global;
  // Module class, function, or method name.
  OrderedMap<QConfigPointer> object_type;
  // Regular expressions, anchored at the start only; the first match wins.
  OrderedMap<QConfigPointer> module_name_regex;
  OrderedMap<QConfigPointer> module_name;

  // The index-th use of a type directly inside a module.
  struct OrderRule {
    std::string module_name;
    std::string object_type;
    int64_t index = 0;
    QConfigPointer qconfig;
  };
  // By OrderKey.
  OrderedMap<OrderRule> module_name_object_type_order;

  static std::string OrderKey(const std::string& module_name,
                              const std::string& object_type, int64_t index);
  // An equal key replaces the value and keeps its place.
  void SetOrder(const std::string& module_name, const std::string& object_type,
                int64_t index, QConfigPointer qconfig);
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QCONFIG_QCONFIG_MAPPING_H_
