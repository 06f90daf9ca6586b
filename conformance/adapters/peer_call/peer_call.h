// What peers can be asked for, and their view of it: a weighted operator whose
// accumulator is multiplied once and lands in units of the output's codes.
#ifndef QCONFORM_CONFORMANCE_ADAPTERS_PEER_CALL_PEER_CALL_H_
#define QCONFORM_CONFORMANCE_ADAPTERS_PEER_CALL_PEER_CALL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/abi/qconform_backend.h"

namespace qconform {

// CONV and LINEAR of u8 or s8 codes per tensor by constant s8 weights whose zero points
// are 0, to u8 or s8 codes, and MATMUL of codes per tensor. In words what is against it,
// or empty.
std::string CheckPeerCall(const qc_descriptor& descriptor);

// MAX_POOL of images, and ADAPTIVE_AVG_POOL to one pixel, between codes of the same
// qparams.
std::string CheckPeerPool(const qc_descriptor& descriptor);

// ADD of two tensors of one shape, all of one dtype and per tensor.
std::string CheckPeerAdd(const qc_descriptor& descriptor);

// MAX_POOL, ADAPTIVE_AVG_POOL.
bool IsPool(const qc_descriptor& descriptor);
// CONV, LINEAR.
bool IsWeighted(const qc_descriptor& descriptor);

// Images lie with their channels last, everything else densely.
uint32_t PeerMemoryFormats(const qc_descriptor& descriptor);

// That `constants`, as of qc_backend.plan, hold the weight and the bias.
std::string CheckPeerConstants(const qc_descriptor& descriptor,
                               const qc_tensor* const* constants);

// sx * sw / so of each output channel, or the only one.
std::vector<float> OutputMultipliers(const qc_descriptor& descriptor);

// Input 2, or nullptr.
const qc_tensor* BiasOf(const qc_descriptor& descriptor);

// The bias in units of the output's codes, and in units of the accumulator (rounded half
// to even, saturated). Preconditions: BiasOf() is there and `bias` has its data.
std::vector<float> BiasInCodes(const qc_descriptor& descriptor, const qc_tensor& bias);
std::vector<int32_t> BiasInProducts(const qc_descriptor& descriptor,
                                    const qc_tensor& bias);

// What a code less its zero point may be at least and at most: the tensor's bounds and
// the fused activation. `saturates`: the dtype's own range already does it.
struct ResultBounds {
  float lower;
  float upper;
  bool saturates;
};
ResultBounds ResultBoundsOf(const qc_descriptor& descriptor);

// Height and width of a pool, whatever its kind: a window over all of the image where the
// operator is adaptive. At rank 2.
struct PoolWindow {
  std::vector<int64_t> kernel, stride, dilation, before, after;
};
PoolWindow PoolWindowOf(const qc_descriptor& descriptor);

bool HasNoElements(const qc_descriptor& descriptor);

// The fastest of sse41, avx2, avx512, avx512vnni that this CPU has; empty below sse41.
std::string FastestPath();

// Of a peer that chooses its instructions itself and runs `path`: what is against running
// it where QCONFORM_ISA names another than that or the fastest; in words, or empty.
std::string CheckUnforced(const std::string& peer, const std::string& path);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_ADAPTERS_PEER_CALL_PEER_CALL_H_
