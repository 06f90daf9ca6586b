// What the machine's memory gives: the measure for everything that moves tensors.
#ifndef QCONFORM_BENCH_PIPELINE_BANDWIDTH_H_
#define QCONFORM_BENCH_PIPELINE_BANDWIDTH_H_

#include "reference/ir/tensor.h"

namespace qconform::bench {

// Of `threads` threads together, over 64 MB: more than the caches hold.
class BandwidthMeter {
 public:
  explicit BandwidthMeter(int threads);

  // One read and one copy. Taken between the runs of what is measured, so that both see
  // the same machine.
  void Sample();

  // The best samples so far, bytes a second. A copied byte counts twice, as it is read
  // and written.
  double read() const { return read_; }
  double copy() const { return copy_; }

 private:
  int threads_;
  // Tensors, so that their pages are those of what is measured.
  Tensor from_;
  Tensor to_;
  double read_ = 0;
  double copy_ = 0;
};

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_PIPELINE_BANDWIDTH_H_
