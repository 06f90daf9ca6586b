// The Python functions and classes that the makers of the oracle records wrote for
// their backend configs and models. Records name them; their meaning is written down
// here once more.
#ifndef QCONFORM_CLI_PARITY_CORPUS_EXTENSION_H_
#define QCONFORM_CLI_PARITY_CORPUS_EXTENSION_H_

#include <memory>
#include <set>
#include <string>

#include "reference/registry/extension.h"

namespace qconform::parity {

// Fuser methods, getters and module classes; from the first call to the end of the
// process.
const Extension& CorpusExtension();

// The classes that run their children one after the other.
const std::set<std::string>& CorpusSequentialClasses();
// Adds one, which counts to the end of the process. Nothing is done for a known class.
void AddSequentialClass(const std::string& type);

// The forward of one of these, or of a module that has a graph.
GraphModule TraceCorpusModule(const std::shared_ptr<Module>& module);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_CORPUS_EXTENSION_H_
