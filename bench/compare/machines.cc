#include "bench/compare/machines.h"

#include "bench/record.h"

namespace qconform::bench {
namespace {

// Not the load, which never is the same twice.
constexpr const char* kKeys[] = {kCpuModel,    kCpuCores,  kCpuFeatures,
                                 kCpuGovernor, "num_cpus", "library_build_type"};

}  // namespace

MachineComparison CompareMachines(const SampleFile& old_file,
                                  const SampleFile& new_file) {
  MachineComparison comparison;
  for (const char* key : kKeys) {
    const auto before = old_file.context.find(key);
    const auto after = new_file.context.find(key);
    if (before == old_file.context.end() || after == new_file.context.end()) continue;
    if (before->second == after->second) {
      comparison.alike.emplace_back(key);
    } else {
      comparison.unlike.push_back(std::string(key) + " " + before->second + " and " +
                                  after->second);
    }
  }
  return comparison;
}

}  // namespace qconform::bench
