// A layer of u8 codes as one of s8 codes: for peers whose kernels take no others.
#ifndef QCONFORM_BENCH_PEERS_SIGNED_CALL_H_
#define QCONFORM_BENCH_PEERS_SIGNED_CALL_H_

#include <cstddef>
#include <vector>

#include "conformance/host/operator_call.h"

namespace qconform::bench {

// CONV and LINEAR of u8 codes to u8 codes.
bool HasSignedCall(const OperatorCall& call);

// Codes, zero points and bounds of input and output less 128: the same real numbers, the
// same products. Precondition: HasSignedCall().
OperatorCall SignedCall(const OperatorCall& call);

// u8 codes to the s8 codes of a signed call, or back.
void ShiftCodes(std::vector<std::byte>& codes);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_PEERS_SIGNED_CALL_H_
