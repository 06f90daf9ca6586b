// Which fuser method takes modules of given classes.
#ifndef QCONFORM_REFERENCE_FUSE_FUSER_LOOKUP_H_
#define QCONFORM_REFERENCE_FUSE_FUSER_LOOKUP_H_

#include <vector>

#include "reference/config/backend_config.h"

namespace qconform {

// The key that equals `types` once some atoms of `types` are replaced by
// MatchAllNode; of several, the one that replaces none where another replaces one,
// looking at the first atom first. nullptr if there is none.
// (torch.ao.quantization.fuser_method_mappings.get_fuser_method_new)
//
// It finds what trying ValidPatterns in order would, without making them all.
const Pattern* FindFuserKey(const Pattern& types, const std::vector<Pattern>& keys);

// `types` with every choice of atoms replaced by MatchAllNode: none first, the last
// atom varies fastest; two to the power of the number of atoms, of which at most
// kMostAtoms are accepted (InputError). (_get_valid_patterns)
inline constexpr int kMostAtoms = 16;
std::vector<Pattern> ValidPatterns(const Pattern& types);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FUSE_FUSER_LOOKUP_H_
