#include "bench/fingerprint.h"

#include <fmt/format.h>
#include <sched.h>
#include <stdlib.h>

#include <fstream>

#include "bench/record.h"

namespace qconform::bench {
namespace {

int UsableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 0;
  return CPU_COUNT(&set);
}

std::string Governor() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  std::string governor;
  return file >> governor ? governor : "unknown";
}

std::string Load() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? fmt::format("{:.2f}", load) : "unknown";
}

std::string CpuModel() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "unknown";
}

// The features that matter to integer kernels. The compiler wants literal names.
std::string Features() {
  std::vector<std::string> names;
#define QCONFORM_FEATURE(name) \
  if (__builtin_cpu_supports(name)) names.push_back(name)
  QCONFORM_FEATURE("ssse3");
  QCONFORM_FEATURE("sse4.1");
  QCONFORM_FEATURE("avx");
  QCONFORM_FEATURE("avx2");
  QCONFORM_FEATURE("fma");
  QCONFORM_FEATURE("avx512f");
  QCONFORM_FEATURE("avx512bw");
  QCONFORM_FEATURE("avx512vl");
  QCONFORM_FEATURE("avx512vbmi");
  QCONFORM_FEATURE("avx512vnni");
#undef QCONFORM_FEATURE
  return fmt::format("{}", fmt::join(names, " "));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> MachineFingerprint() {
  return {{kCpuModel, CpuModel()},
          {kCpuCores, std::to_string(UsableCores())},
          {kCpuFeatures, Features()},
          {kCpuGovernor, Governor()},
          {kLoadAverage, Load()}};
}

}  // namespace qconform::bench
