// Work in chunks whose borders do not depend on the number of threads.
#ifndef QCONFORM_REFERENCE_NUMERICS_FIXED_CHUNKS_H_
#define QCONFORM_REFERENCE_NUMERICS_FIXED_CHUNKS_H_

#include <algorithm>
#include <cstdint>

namespace qconform {

// Elements of a chunk; below kParallelElements a thread costs more than it saves.
inline constexpr int64_t kChunkElements = 1 << 16;
inline constexpr int64_t kParallelElements = 1 << 18;

// Calls body(i) for every i in [0, count), on several threads if there is work for them:
// `elements` in all. Not even a parallel region of one thread is entered otherwise.
template <typename Body>
void ForEachIndex(int64_t count, int64_t elements, const Body& body) {
  if (elements <= kParallelElements || count < 2) {
    for (int64_t i = 0; i < count; ++i) body(i);
    return;
  }
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < count; ++i) body(i);
}

inline int64_t ChunkCount(int64_t n) { return (n + kChunkElements - 1) / kChunkElements; }

// Calls body(chunk, begin, end) for every chunk of [0, n).
template <typename Body>
void ForEachChunk(int64_t n, const Body& body) {
  ForEachIndex(ChunkCount(n), n, [&](int64_t chunk) {
    const int64_t begin = chunk * kChunkElements;
    body(chunk, begin, std::min(n, begin + kChunkElements));
  });
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_FIXED_CHUNKS_H_
