// Which machine a benchmark ran on, and in which state.
#ifndef QCONFORM_BENCH_FINGERPRINT_H_
#define QCONFORM_BENCH_FINGERPRINT_H_

#include <string>
#include <utility>
#include <vector>

namespace qconform::bench {

// Key (bench/record.h) and value, all text, in a fixed order.
std::vector<std::pair<std::string, std::string>> MachineFingerprint();

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_FINGERPRINT_H_
