#include "reference/observe/quantizable/part.h"

namespace qconform {

std::shared_ptr<Module> MakePart(const std::string& type) {
  auto part = std::make_shared<Module>();
  part->type = type;
  return part;
}

std::shared_ptr<Module> MakeLinearPart(const Tensor& weight,
                                       const std::optional<Tensor>& bias) {
  const std::shared_ptr<Module> linear = MakePart("torch.nn.Linear");
  linear->attributes.Set("in_features", weight.dim(1));
  linear->attributes.Set("out_features", weight.dim(0));
  linear->parameters.Set("weight", weight);
  linear->parameters.Set("bias", bias);
  return linear;
}

}  // namespace qconform
