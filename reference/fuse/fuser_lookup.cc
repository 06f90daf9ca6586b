#include "reference/fuse/fuser_lookup.h"

#include "reference/ir/error.h"

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

// A copy of `types`; bit i of `kept`, counted from the last atom, keeps that atom.
Pattern Replaced(const Pattern& types, uint32_t kept, int& atom) {
  if (!types.IsTuple()) {
    --atom;
    return (kept >> atom & 1) != 0 ? types : Pattern::MatchAll();
  }
  std::vector<Pattern> items;
  for (const Pattern& item : types.items()) items.push_back(Replaced(item, kept, atom));
  return Pattern::Tuple(std::move(items));
}

}  // namespace

std::vector<Pattern> ValidPatterns(const Pattern& types) {
  const int atoms = types.AtomCount();
  if (atoms > kMostAtoms) {
    throw InputError("pattern", "it has " + std::to_string(atoms) + " atoms",
                     "at most " + std::to_string(kMostAtoms));
  }
  std::vector<Pattern> patterns;
  for (uint32_t kept = uint32_t{1} << atoms; kept-- > 0;) {
    int atom = atoms;
    patterns.push_back(Replaced(types, kept, atom));
  }
  return patterns;
}

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
