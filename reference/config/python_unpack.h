// Python's unpacking of the tuples that torch's dictionaries are made of.
#ifndef QCONFORM_REFERENCE_CONFIG_PYTHON_UNPACK_H_
#define QCONFORM_REFERENCE_CONFIG_PYTHON_UNPACK_H_

#include "reference/formats/json_file.h"

namespace qconform {

// `for a, b in list` with `size` names: throws TorchRefusal, a TypeError or a
// ValueError, for an entry that is no list of that many values. A text with a dot is
// the name of a class or function and cannot be unpacked; another text would fall
// into its letters. The list itself may be an object, of which Python sees the keys.
void RequireUnpackable(const ordered_json& list, size_t size, const JsonOrigin& origin);

// "<class 'int'>": Python's type of a value as torch prints it.
std::string PythonTypeText(const ordered_json& value);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_PYTHON_UNPACK_H_
