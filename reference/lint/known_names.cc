#include "reference/lint/known_names.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "reference/backends/backends.h"
#include "reference/config/canonical_name.h"
#include "reference/ir/nearest_name.h"

namespace qconform {
namespace {

struct TorchNames {
  const char* prefix;
  const char* last_parts;
};

constexpr TorchNames kTorchNames[] = {
#include "reference/lint/torch_names.inc"
};

std::vector<std::string> CollectOperations() {
  std::set<std::string> names;
  for (const TorchNames& section : kTorchNames) {
    std::istringstream words(section.last_parts);
    for (std::string word; words >> word;) {
      names.insert(CanonicalName(section.prefix + word));
    }
  }
  for (const std::string& backend : BuiltInBackendNames()) {
    for (const BackendConfig::Entry& entry : BuiltInBackendConfig(backend).entries()) {
      AddAtoms(entry.key, names);
      const BackendPatternConfig& config = entry.config;
      for (const std::string* name :
           {&config.root_module, &config.qat_module, &config.reference_quantized_module,
            &config.fused_module}) {
        if (!name->empty()) names.insert(*name);
      }
    }
  }
  return {names.begin(), names.end()};
}

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

}  // namespace

void AddAtoms(const Pattern& pattern, std::set<std::string>& names) {
  for (const Pattern& item : pattern.items()) AddAtoms(item, names);
  if (!pattern.name().empty()) names.insert(pattern.name());
}

const std::vector<std::string>& KnownOperations() {
  static const auto* names = new std::vector<std::string>(CollectOperations());
  return *names;
}

bool IsKnownOperation(std::string_view name) {
  const std::vector<std::string>& names = KnownOperations();
  return std::binary_search(names.begin(), names.end(), name);
}

bool IsTorchName(std::string_view name) {
  if (IsMethodName(name)) return true;
  for (const char* prefix : {"torch.nn.", "torch.ao.nn.", "operator.", "builtins."}) {
    if (StartsWith(name, prefix)) return true;
  }
  // torch.<name>: not torch.ops.<library>.<name> and the like.
  return StartsWith(name, "torch.") && name.find('.', 6) == std::string_view::npos;
}

bool IsMethodName(std::string_view name) {
  // A class may stand without its module, and begins with a capital.
  return !name.empty() && name.find('.') == std::string_view::npos &&
         std::isupper(static_cast<unsigned char>(name[0])) == 0;
}

std::string NearestOperationHint(std::string_view name) {
  // The right name below another module.
  const std::string last = "." + std::string(name.substr(name.rfind('.') + 1));
  std::string nearest;
  for (const std::string& known : KnownOperations()) {
    if (known.ends_with(last) && (nearest.empty() || known.size() < nearest.size())) {
      nearest = known;
    }
  }
  if (nearest.empty()) nearest = NearestName(name, KnownOperations());
  return nearest.empty() ? "" : ", nearest known name " + nearest;
}

}  // namespace qconform
