#include "reference/config/module_types.h"

#include <string>
#include <unordered_map>

namespace qconform {
namespace {

constexpr std::string_view kQat = "torch.ao.nn.qat.";
constexpr std::string_view kIntrinsicQat = "torch.ao.nn.intrinsic.qat.";

// Children of torch.ao.nn.intrinsic's containers.
#define NNI "torch.ao.nn.intrinsic."
#define NNIQAT "torch.ao.nn.intrinsic.qat."
#define NNQAT "torch.ao.nn.qat."
#define CONV_TYPES(d)                                                                    \
  {NNI "ConvReLU" d, true, {"torch.nn.Conv" d, "torch.nn.ReLU"}, "", "torch.nn.Conv" d}, \
      {NNI "ConvBn" d,                                                                   \
       true,                                                                             \
       {"torch.nn.Conv" d, "torch.nn.BatchNorm" d},                                      \
       "",                                                                               \
       "torch.nn.Conv" d},                                                               \
      {NNI "ConvBnReLU" d,                                                               \
       true,                                                                             \
       {"torch.nn.Conv" d, "torch.nn.BatchNorm" d, "torch.nn.ReLU"},                     \
       "",                                                                               \
       "torch.nn.Conv" d},                                                               \
      {NNQAT "Conv" d, false, {}, "torch.nn.Conv" d, "torch.nn.Conv" d},                 \
      {NNIQAT "ConvReLU" d, true, {}, NNI "ConvReLU" d, "torch.nn.Conv" d},              \
      {NNIQAT "ConvBn" d, true, {}, NNI "ConvBn" d, "torch.nn.Conv" d}, {                \
    NNIQAT "ConvBnReLU" d, true, {}, NNI "ConvBnReLU" d, "torch.nn.Conv" d               \
  }

const std::vector<ModuleType>& Table() {
  static const std::vector<ModuleType> table = {
      CONV_TYPES("1d"),
      CONV_TYPES("2d"),
      CONV_TYPES("3d"),
      {NNI "LinearReLU",
       true,
       {"torch.nn.Linear", "torch.nn.ReLU"},
       "",
       "torch.nn.Linear"},
      {NNI "LinearBn1d",
       true,
       {"torch.nn.Linear", "torch.nn.BatchNorm1d"},
       "",
       "torch.nn.Linear"},
      {NNI "LinearLeakyReLU",
       true,
       {"torch.nn.Linear", "torch.nn.LeakyReLU"},
       "",
       "torch.nn.Linear"},
      {NNI "LinearTanh",
       true,
       {"torch.nn.Linear", "torch.nn.Tanh"},
       "",
       "torch.nn.Linear"},
      {NNI "BNReLU2d", true, {"torch.nn.BatchNorm2d", "torch.nn.ReLU"}, "", ""},
      {NNI "BNReLU3d", true, {"torch.nn.BatchNorm3d", "torch.nn.ReLU"}, "", ""},
      // The addition is an attribute of these two, not a child.
      {NNI "ConvAdd2d", true, {"torch.nn.Conv2d"}, "", "torch.nn.Conv2d"},
      {NNI "ConvAddReLU2d", true, {"torch.nn.Conv2d"}, "", "torch.nn.Conv2d"},
      {NNQAT "Linear", false, {}, "torch.nn.Linear", "torch.nn.Linear"},
      {NNQAT "dynamic.Linear", false, {}, "torch.nn.Linear", "torch.nn.Linear"},
      {NNQAT "Embedding", false, {}, "torch.nn.Embedding", "torch.nn.Embedding"},
      {NNQAT "EmbeddingBag", false, {}, "torch.nn.EmbeddingBag", "torch.nn.EmbeddingBag"},
      {NNIQAT "LinearReLU", true, {}, NNI "LinearReLU", "torch.nn.Linear"},
      {NNIQAT "LinearBn1d", true, {}, NNI "LinearBn1d", "torch.nn.Linear"},
  };
  return table;
}

}  // namespace

std::span<const ModuleType> ModuleTypeTable() { return Table(); }

const ModuleType* FindModuleType(std::string_view name) {
  static const auto index = [] {
    std::unordered_map<std::string_view, const ModuleType*> map;
    for (const ModuleType& type : Table()) map.emplace(type.name, &type);
    return map;
  }();
  auto found = index.find(name);
  return found == index.end() ? UserModuleTypes().Find(std::string(name)) : found->second;
}

NameTable<ModuleType>& UserModuleTypes() {
  static auto* const table = new NameTable<ModuleType>("module class");
  return *table;
}

bool IsFusedModule(std::string_view name) {
  const ModuleType* type = FindModuleType(name);
  return type != nullptr && type->is_fused;
}

bool IsQatModule(std::string_view name) {
  if (name.substr(0, kQat.size()) == kQat ||
      name.substr(0, kIntrinsicQat.size()) == kIntrinsicQat) {
    return true;
  }
  const ModuleType* type = FindModuleType(name);
  return type != nullptr && !type->float_module.empty();
}

}  // namespace qconform
