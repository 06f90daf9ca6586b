// What memory allows: a copy that moves as many bytes as a layer, in the same caches.
#ifndef QCONFORM_BENCH_PEERS_COPY_METER_H_
#define QCONFORM_BENCH_PEERS_COPY_METER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace qconform::bench {

class CopyMeter {
 public:
  // `bytes` read and written together, by `threads` threads.
  CopyMeter(int64_t bytes, int threads);

  void Run();

 private:
  int threads_;
  size_t size_;
  std::vector<std::byte> memory_;
  std::byte* from_;
  std::byte* to_;
};

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_PEERS_COPY_METER_H_
