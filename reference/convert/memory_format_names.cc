#include "reference/convert/memory_format_names.h"

#include <unordered_set>

namespace qconform {

bool IsClamp(const std::string& operation) {
  static const std::unordered_set<std::string> names = {"torch.clamp",
                                                        "clamp",
                                                        "torch.nn.functional.hardtanh",
                                                        "torch.nn.functional.hardtanh_",
                                                        "torch.nn.functional.relu6",
                                                        "torch.nn.Hardtanh",
                                                        "torch.nn.ReLU6"};
  return names.contains(operation);
}

bool MakesChannelsLast(const std::string& operation) {
  if (!operation.ends_with("2d") && !operation.ends_with("3d")) return false;
  for (const char* kind : {"Conv", "conv", "BatchNorm", "BNReLU"}) {
    if (operation.find(kind) != std::string::npos) return true;
  }
  return false;
}

bool KeepsMemoryFormat(const std::string& operation) {
  static const std::unordered_set<std::string> names = {"torch.nn.ReLU",
                                                        "torch.nn.MaxPool2d",
                                                        "torch.nn.AvgPool2d",
                                                        "torch.nn.functional.relu",
                                                        "torch.nn.functional.max_pool2d",
                                                        "torch.nn.functional.avg_pool2d",
                                                        "operator.add",
                                                        "torch.add",
                                                        "operator.mul",
                                                        "torch.mul",
                                                        "torch.cat"};
  return names.contains(operation);
}

}  // namespace qconform
