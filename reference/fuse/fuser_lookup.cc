#include "reference/fuse/fuser_lookup.h"

namespace qconform {
namespace {

// Appends, atom by atom, whether the key stands for it by the wildcard. False if
// the key does not cover the types.
bool Cover(const Pattern& key, const Pattern& types, std::vector<bool>& replaced) {
  if (types.IsTuple()) {
    if (!key.IsTuple() || key.items().size() != types.items().size()) return false;
    for (size_t i = 0; i < types.items().size(); ++i) {
      if (!Cover(key.items()[i], types.items()[i], replaced)) return false;
    }
    return true;
  }
  if (key == types) {
    replaced.push_back(false);
    return true;
  }
  if (key.kind() != Pattern::Kind::kMatchAll) return false;
  replaced.push_back(true);
  return true;
}

}  // namespace

const Pattern* FindFuserKey(const Pattern& types, const std::vector<Pattern>& keys) {
  const Pattern* best = nullptr;
  std::vector<bool> best_replaced;
  for (const Pattern& key : keys) {
    std::vector<bool> replaced;
    if (!Cover(key, types, replaced)) continue;
    if (best == nullptr || replaced < best_replaced) {
      best = &key;
      best_replaced = std::move(replaced);
    }
  }
  return best;
}

}  // namespace qconform
