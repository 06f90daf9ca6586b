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
const Pattern* FindFuserKey(const Pattern& types, const std::vector<Pattern>& keys);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FUSE_FUSER_LOOKUP_H_
