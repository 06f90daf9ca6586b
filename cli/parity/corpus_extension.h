// The Python functions and classes that the makers of the oracle records wrote for
// their backend configs and models. Records name them; their meaning is written down
// here once more.
#ifndef QCONFORM_CLI_PARITY_CORPUS_EXTENSION_H_
#define QCONFORM_CLI_PARITY_CORPUS_EXTENSION_H_

#include "reference/registry/extension.h"

namespace qconform::parity {

// Fuser methods, getters and module classes; from the first call to the end of the
// process.
const Extension& CorpusExtension();

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_CORPUS_EXTENSION_H_
