// What this machine could do at most: int8 multiply-adds from registers only.
#ifndef QCONFORM_BENCH_PEAK_H_
#define QCONFORM_BENCH_PEAK_H_

#include <cstdint>
#include <string>
#include <vector>

namespace qconform::bench {

// The code paths whose instructions this machine has, slowest first: sse41, avx2, avx512
// (pmaddwd and paddd, which are exact) and avx512vnni (vpdpbusd).
std::vector<std::string> PeakPaths();

// Measures what `threads` threads reach together with the instructions of one of
// PeakPaths(). No memory is touched.
class PeakMeter {
 public:
  // Takes enough samples to raise the clock and to find a quiet moment: a fifth of a
  // second on an idle machine, at most one on a busy one.
  PeakMeter(const std::string& path, int threads);

  // One sample of some fifty microseconds, shorter than a scheduler's time slice. Taken
  // between the runs of a kernel, so that both see the same machine.
  void Sample();

  // The best sample so far, GMAC/s.
  double best() const { return best_; }

 private:
  void (*loop_)(int64_t rounds) = nullptr;
  int macs_ = 0;  // of one instruction
  int threads_;
  double best_ = 0;
};

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_PEAK_H_
