// The Python functions that the makers of the oracle records wrote for their backend
// configs. Records name them; their meaning is written down here once more, for tests
// and for `qconform parity`.
#ifndef QCONFORM_REFERENCE_FUSE_ORACLE_FUNCTIONS_H_
#define QCONFORM_REFERENCE_FUSE_ORACLE_FUNCTIONS_H_

namespace qconform {

// Registers fuser methods, root and extra-input getters. May be called more than once.
void RegisterOracleFunctions();

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FUSE_ORACLE_FUNCTIONS_H_
