// For tests: a module of a class.
#ifndef QCONFORM_REFERENCE_IR_TEST_MODULE_H_
#define QCONFORM_REFERENCE_IR_TEST_MODULE_H_

#include <memory>
#include <string>

#include "reference/ir/module.h"

namespace qconform {

inline std::shared_ptr<Module> ModuleOf(const std::string& type) {
  auto module = std::make_shared<Module>();
  module->type = type;
  return module;
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_TEST_MODULE_H_
