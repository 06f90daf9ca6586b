#include "reference/qconfig/qconfig_mapping.h"

namespace qconform {

std::string QConfigMapping::OrderKey(const std::string& module_name,
                                     const std::string& object_type, int64_t index) {
  return module_name + ", " + object_type + ", " + std::to_string(index);
}

void QConfigMapping::SetOrder(const std::string& module_name,
                              const std::string& object_type, int64_t index,
                              QConfigPointer qconfig) {
  module_name_object_type_order.Set(
      OrderKey(module_name, object_type, index),
      {module_name, object_type, index, std::move(qconfig)});
}

}  // namespace qconform
