// The user's own functions that some oracle records refer to by name.
#ifndef QCONFORM_DATASETS_ORACLE_ORACLE_FUNCTIONS_H_
#define QCONFORM_DATASETS_ORACLE_ORACLE_FUNCTIONS_H_

namespace qconform {

// Registers the fuser methods and node getters of the records with a custom
// backend config. May be called more than once.
void RegisterOracleFunctions();

}  // namespace qconform

#endif  // QCONFORM_DATASETS_ORACLE_ORACLE_FUNCTIONS_H_
