// The Python functions and classes that the makers of the oracle records wrote for
// them. Records name them; their meaning is written down here once more.
#ifndef QCONFORM_CLI_PARITY_CORPUS_FUNCTIONS_H_
#define QCONFORM_CLI_PARITY_CORPUS_FUNCTIONS_H_

#include "reference/ops/registry.h"

namespace qconform::parity {

// Fuser methods, root and extra-input getters. May be called more than once.
void RegisterCorpusFunctions();

// The built-in operators and the modules of the records' own classes.
const Registry& CorpusRegistry();

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_CORPUS_FUNCTIONS_H_
