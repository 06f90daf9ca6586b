// One name for each function that torch exposes under several.
#ifndef QCONFORM_REFERENCE_CONFIG_CANONICAL_NAME_H_
#define QCONFORM_REFERENCE_CONFIG_CANONICAL_NAME_H_

#include <string>

namespace qconform {

// "torch.conv2d" -> "torch.nn.functional.conv2d"; any other name is unchanged.
// Only names of one and the same object: torch.relu is not F.relu.
std::string CanonicalName(const std::string& name);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_CANONICAL_NAME_H_
