// Values of configs as Python prints them: torch's error texts and its human-readable
// forms are made of these.
#ifndef QCONFORM_REFERENCE_CONFIG_PYTHON_REPR_H_
#define QCONFORM_REFERENCE_CONFIG_PYTHON_REPR_H_

#include <string>

#include "reference/config/dtype_config.h"
#include "reference/config/pattern.h"
#include "reference/ir/argument.h"

namespace qconform {

// repr() of a number, text, dtype, list or None.
std::string PythonRepr(const Argument& value);
std::string PythonRepr(double value);

// "<class 'torch.nn.modules.conv.Conv2d'>" of "torch.nn.Conv2d".
std::string PythonClassRepr(const std::string& canonical_name);
// "<function relu>", "<built-in method add of type object>", "<built-in function add>":
// without the address at which the object lives.
std::string PythonFunctionRepr(const std::string& canonical_name);

// A tuple of the parts' reprs; a method name as a quoted text. The dispatchers of
// torch.nn.functional.max_pool2d and its kin are printed by their qualified name.
std::string PythonRepr(const Pattern& pattern);

// As dataclasses print themselves.
std::string PythonRepr(const DTypeWithConstraints& dtype);
std::string PythonRepr(const DTypeConfig& config);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_PYTHON_REPR_H_
