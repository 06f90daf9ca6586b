// The fuser methods of torch.ao.quantization, by their dotted names.
#ifndef QCONFORM_REFERENCE_FUSE_TORCH_FUSERS_H_
#define QCONFORM_REFERENCE_FUSE_TORCH_FUSERS_H_

#include <map>
#include <string>

#include "reference/fuse/fuser_method.h"

namespace qconform {

std::map<std::string, FuserFunction> TorchFusers();

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FUSE_TORCH_FUSERS_H_
