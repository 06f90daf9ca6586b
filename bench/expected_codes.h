// What a layer must compute.
#ifndef QCONFORM_BENCH_EXPECTED_CODES_H_
#define QCONFORM_BENCH_EXPECTED_CODES_H_

#include <cstddef>
#include <vector>

#include "conformance/host/operator_call.h"

namespace qconform::bench {

// The output codes of `call`, dense and row-major, by the scalar definition in
// reference/numerics. Throws std::runtime_error if there is none.
std::vector<std::byte> ExpectedCodes(const OperatorCall& call);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_EXPECTED_CODES_H_
