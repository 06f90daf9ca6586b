// torch's own times for the same work, where it is installed.
#ifndef QCONFORM_BENCH_PIPELINE_TORCH_TIMES_H_
#define QCONFORM_BENCH_PIPELINE_TORCH_TIMES_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace qconform::bench {

struct TorchTime {
  double best = 0;    // milliseconds
  double median = 0;  // milliseconds
};

struct TorchTimes {
  std::string version;  // "not installed" if there is none
  // By case and number of threads.
  std::map<std::pair<std::string, int>, TorchTime> times;

  std::optional<TorchTime> Find(const std::string& name, int threads) const;
};

// Runs torch_times.py with $QCONFORM_ORACLE_PYTHON, else with the interpreter in
// build/oracle-venv, for the cases whose names hold a match of the regular expression
// `filter`. What cannot be run, or prints no times, counts as not installed.
TorchTimes MeasureTorch(const std::vector<int>& threads, const std::string& filter);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_PIPELINE_TORCH_TIMES_H_
