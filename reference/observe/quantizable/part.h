// The parts that the observed modules are made of.
#ifndef QCONFORM_REFERENCE_OBSERVE_QUANTIZABLE_PART_H_
#define QCONFORM_REFERENCE_OBSERVE_QUANTIZABLE_PART_H_

#include <memory>
#include <optional>
#include <string>

#include "reference/ir/module.h"

namespace qconform {

// A module of that class and nothing more.
std::shared_ptr<Module> MakePart(const std::string& type);

// torch.nn.Linear with weight [out, in] and bias [out].
std::shared_ptr<Module> MakeLinearPart(const Tensor& weight,
                                       const std::optional<Tensor>& bias);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_QUANTIZABLE_PART_H_
