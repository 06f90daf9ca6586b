// What the scalar backend declares: every operator that reference/numerics defines and a
// row of a config can name, with every dtype that it is defined for.
#ifndef QCONFORM_CONFORMANCE_ADAPTERS_SCALAR_SCALAR_CONFIG_H_
#define QCONFORM_CONFORMANCE_ADAPTERS_SCALAR_SCALAR_CONFIG_H_

// JSON with torch's keys; static storage.
const char* ScalarConfig();

#endif  // QCONFORM_CONFORMANCE_ADAPTERS_SCALAR_SCALAR_CONFIG_H_
