// What of a model's root survives a stage though its graph does not use it.
#ifndef QCONFORM_REFERENCE_FUSE_PRESERVED_ATTRIBUTES_H_
#define QCONFORM_REFERENCE_FUSE_PRESERVED_ATTRIBUTES_H_

#include <string>
#include <vector>

#include "reference/ir/module.h"

namespace qconform {

// Copies the named children, parameters, buffers and attributes of `from` to `to`;
// what `from` has not is skipped. (attach_preserved_attrs_to_model)
void CopyPreserved(const Module& from, const std::vector<std::string>& names, Module& to);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FUSE_PRESERVED_ATTRIBUTES_H_
