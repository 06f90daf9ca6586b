// What a rule asks of the node whose bound it gives.
#ifndef QCONFORM_CLI_PARITY_OPERATION_H_
#define QCONFORM_CLI_PARITY_OPERATION_H_

#include <memory>
#include <string>
#include <vector>

#include "cli/parity/error_bound.h"

namespace qconform::parity {

struct BoundedValues::Operation {
  const Node& node;
  // The last part of the function's name, the method, or the class of the module.
  std::string name;
  std::vector<Node*> inputs;
  bool exact;  // all inputs are
  const Value& value;
  // The module that is called, the weighted one in it, and by how much the function after
  // that may stretch a distance.
  std::shared_ptr<Module> module;
  std::shared_ptr<Module> weighted;
  double stretch = 1;
  // nullptr for what is no float tensor: the value, the first input and its bound.
  const Tensor* y = nullptr;
  const Tensor* x = nullptr;
  const Tensor* x_error = nullptr;
};

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_OPERATION_H_
