// The names under which a benchmark's JSON file (Google Benchmark's format) carries what
// is ours: counters of each benchmark, and entries of its "context".
#ifndef QCONFORM_BENCH_RECORD_H_
#define QCONFORM_BENCH_RECORD_H_

namespace qconform::bench {

// Counters. A benchmark is named SUITE/LAYER/threads:N; its label is the code path.
// error_occurred is set, with a message, where the output was wrong: no speed counts.
inline constexpr char kGmacPerSecond[] = "gmac_per_second";  // at the median time
// At the shortest time, of the best peak: both the least disturbed by other work.
inline constexpr char kShareOfPeak[] = "share_of_peak";
inline constexpr char kMedianShareOfPeak[] = "median_share_of_peak";
inline constexpr char kPeak[] = "peak_gmac_per_second";  // of the path that ran
inline constexpr char kMacs[] = "macs";                  // multiply-adds of a run
inline constexpr char kLayerCount[] = "layer_count";     // times in the network
inline constexpr char kThreads[] = "threads";

// Counters of `bench --peers`, whose benchmarks are
// SUITE/batch:B/LAYER/SUBJECT/threads:N: codes that are not the definition's, those
// further from it than one, and what binds the layer (the peak, or a copy of its bytes)
// over the shortest time.
inline constexpr char kWrongCodes[] = "wrong_codes";
inline constexpr char kFarCodes[] = "far_codes";
inline constexpr char kShareOfBound[] = "share_of_bound";

// Counters of `bench --model`, whose benchmarks are MODEL/SUBJECT/threads:N: wrong_codes
// and far_codes, and by kind of operator ("time_share.conv2d 3x3") its part of a run.
inline constexpr char kTimeShare[] = "time_share.";

// Counters of `bench --pipeline`: the shares and the speedup at the shortest time.
inline constexpr char kBytesMoved[] = "bytes_moved";
inline constexpr char kReadBandwidth[] = "read_bytes_per_second";
inline constexpr char kCopyBandwidth[] = "copy_bytes_per_second";
inline constexpr char kShareOfBandwidth[] = "share_of_bandwidth";
inline constexpr char kMedianShareOfBandwidth[] = "median_share_of_bandwidth";
inline constexpr char kMedianSeconds[] = "median_seconds";
inline constexpr char kTorchSeconds[] = "torch_seconds";
inline constexpr char kSpeedup[] = "torch_over_ours";
inline constexpr char kSecondsPerNode[] = "seconds_per_node";

// Context: the version of torch that was timed beside the pipeline.
inline constexpr char kTorch[] = "torch";

// Context: of `bench --peers` and `--model`, names and versions of the backend and its
// peers.
inline constexpr char kSubjects[] = "qconform_subjects";

// Context: the subject.
inline constexpr char kBackend[] = "qconform_backend";  // name and version
inline constexpr char kBackendFile[] = "qconform_backend_file";
inline constexpr char kSuite[] = "qconform_suite";
inline constexpr char kVersion[] = "qconform_version";

// Context: peak int8 throughput measured beside the run, GMAC/s. The whole key is
// kPeakPrefix + path + kPeakThreads + threads, e.g. peak_gmac_per_second.avx2.threads.1.
inline constexpr char kPeakPrefix[] = "peak_gmac_per_second.";
inline constexpr char kPeakThreads[] = ".threads.";

// Context: the machine's fingerprint. Unlike machines must not be compared.
inline constexpr char kCpuModel[] = "cpu_model";
inline constexpr char kCpuCores[] = "cpu_cores";        // usable by this process
inline constexpr char kCpuFeatures[] = "cpu_features";  // separated by spaces
inline constexpr char kCpuGovernor[] = "cpu_governor";  // "unknown" if not readable
inline constexpr char kLoadAverage[] = "load_average";  // of one minute, before the run

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_RECORD_H_
