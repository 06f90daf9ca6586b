#include "reference/ops/built_in.h"

namespace qconform {

const Registry& Registry::BuiltIn() {
  static const Registry* const registry = [] {
    auto* built_in = new Registry;
    return built_in;
  }();
  return *registry;
}

}  // namespace qconform
