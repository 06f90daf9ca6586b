// With the processor's own shuffles: neither Halide nor the compiler finds them where
// only the plan knows which byte goes where.
#include "kernels/layout/byte_permutation.h"

#include <algorithm>

#ifdef __x86_64__
#include <immintrin.h>
#else
#include <arm_neon.h>
#endif

namespace qconform::kernels {
namespace {

constexpr int64_t kBytes = 16;
constexpr uint8_t kNowhere = 0x80;  // shuffles put a zero there

}  // namespace

struct BytePermutationKernels {
#ifdef __x86_64__
  [[gnu::target("sse4.1")]] static void Sse41(const BytePermutation& p,
                                              const uint8_t* from, uint8_t* to) {
    const BytePermutation::Step* step = p.steps_.data();
    for (const BytePermutation::Vector& vector : p.vectors_) {
      const BytePermutation::Step* const end = p.steps_.data() + vector.end;
      __m128i bytes = _mm_setzero_si128();
      for (; step != end; ++step) {
        const __m128i source =
            _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + step->source));
        const __m128i order =
            _mm_loadu_si128(reinterpret_cast<const __m128i*>(step->order.data()));
        bytes = _mm_or_si128(bytes, _mm_shuffle_epi8(source, order));
      }
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + vector.to), bytes);
    }
  }
#else
  static void Neon(const BytePermutation& p, const uint8_t* from, uint8_t* to) {
    const BytePermutation::Step* step = p.steps_.data();
    for (const BytePermutation::Vector& vector : p.vectors_) {
      const BytePermutation::Step* const end = p.steps_.data() + vector.end;
      uint8x16_t bytes = vdupq_n_u8(0);
      for (; step != end; ++step)
        bytes = vorrq_u8(bytes, vqtbl1q_u8(vld1q_u8(from + step->source),
                                           vld1q_u8(step->order.data())));
      vst1q_u8(to + vector.to, bytes);
    }
  }
#endif
};

bool BytePermutation::Takes(const std::vector<int64_t>& sources) {
  if (static_cast<int64_t>(sources.size()) < kBytes) return false;
  const auto [first, last] = std::minmax_element(sources.begin(), sources.end());
  return *last - *first + 1 >= kBytes;
}

BytePermutation::BytePermutation(const std::vector<int64_t>& sources)
    : count_(static_cast<int64_t>(sources.size())) {
  const int64_t last_load =
      *std::max_element(sources.begin(), sources.end()) - (kBytes - 1);
  for (int64_t begin = 0; begin < count_; begin += kBytes) {
    // The last vector moves back over what is done.
    const int64_t at = std::min(begin, count_ - kBytes);
    std::array<bool, kBytes> done = {};
    while (true) {
      int64_t least = -1;
      for (int64_t i = 0; i < kBytes; ++i)
        if (!done[i] && (least < 0 || sources[at + i] < sources[at + least])) least = i;
      if (least < 0) break;
      Step step{std::min(sources[at + least], last_load), {}};
      for (int64_t i = 0; i < kBytes; ++i) {
        const int64_t byte = sources[at + i] - step.source;
        const bool here = !done[i] && byte < kBytes;
        step.order[i] = here ? static_cast<uint8_t>(byte) : kNowhere;
        done[i] = done[i] || here;
      }
      steps_.push_back(step);
    }
    vectors_.push_back({at, static_cast<int64_t>(steps_.size())});
  }
#ifdef __x86_64__
  run_ = BytePermutationKernels::Sse41;
#else
  run_ = BytePermutationKernels::Neon;
#endif
}

}  // namespace qconform::kernels
