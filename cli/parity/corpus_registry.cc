#include "cli/parity/corpus_registry.h"

namespace qconform::parity {

const Registry& CorpusRegistry() {
  static const auto* registry = [] {
    auto* made = new Registry(Registry::BuiltIn());
    // Their forwards call their children one after the other.
    for (const char* type : {"Sub", "CustomFloat", "CustomObserved"}) {
      made->AddSequential(type);
    }
    return made;
  }();
  return *registry;
}

}  // namespace qconform::parity
