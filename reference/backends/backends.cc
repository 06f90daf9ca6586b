#include "reference/backends/backends.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "reference/backends/builders.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

struct BuiltIn {
  const char* name;
  BackendConfig (*build)();
};

constexpr BuiltIn kBuiltIn[] = {
    {"native", BuildNative},     {"native_and_fp16", BuildNativeAndFp16},
    {"fbgemm", BuildFbgemm},     {"x86", BuildX86},
    {"qnnpack", BuildQnnpack},   {"onednn", BuildOnednn},
    {"tensorrt", BuildTensorrt}, {"executorch", BuildExecutorch},
    {"xnnpack", BuildXnnpack},
};

}  // namespace

std::vector<std::string> BuiltInBackendNames() {
  std::vector<std::string> names;
  for (const BuiltIn& entry : kBuiltIn) names.emplace_back(entry.name);
  return names;
}

bool IsBuiltInBackend(const std::string& name) {
  return std::any_of(std::begin(kBuiltIn), std::end(kBuiltIn),
                     [&](const BuiltIn& entry) { return name == entry.name; });
}

const BackendConfig& BuiltInBackendConfig(const std::string& name) {
  static const std::map<std::string, BackendConfig> configs = [] {
    std::map<std::string, BackendConfig> map;
    for (const BuiltIn& entry : kBuiltIn) map.emplace(entry.name, entry.build());
    return map;
  }();
  auto found = configs.find(name);
  if (found != configs.end()) return found->second;
  std::string known;
  for (const BuiltIn& entry : kBuiltIn) {
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw InputError("backend config '" + name + "'", "there is none of that name",
                   "one of " + known);
}

}  // namespace qconform
