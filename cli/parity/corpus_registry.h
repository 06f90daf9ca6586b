// The Python classes that the makers of the oracle records wrote for them.
#ifndef QCONFORM_CLI_PARITY_CORPUS_REGISTRY_H_
#define QCONFORM_CLI_PARITY_CORPUS_REGISTRY_H_

#include "reference/ops/registry.h"

namespace qconform::parity {

// The built-in operators and the modules of the records' own classes.
const Registry& CorpusRegistry();

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_CORPUS_REGISTRY_H_
