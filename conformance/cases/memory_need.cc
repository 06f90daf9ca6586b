#include "conformance/cases/memory_need.h"

#include <fmt/format.h>

#include <fstream>

#include "conformance/cases/row_operator.h"

namespace qconform {
namespace {

uint64_t BytesOf(const CallTensor& tensor) {
  return static_cast<uint64_t>(NumElements(tensor.shape)) * AbiItemSize(tensor.dtype);
}

std::string InGibibytes(uint64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / double{1 << 30});
}

// How often inputs and outputs lie in memory at once. In the worker: the message that
// came in, its tensors, and guarded buffers of two runs side by side; outputs of two
// series, and the message that goes out. In the harness: the call, its message, the codes
// that are right, and those that came back.
constexpr uint64_t kInputsInWorker = 4;
constexpr uint64_t kOutputsInWorker = 6;
constexpr uint64_t kInputsInHarness = 2;
constexpr uint64_t kOutputsInHarness = 5;
// The processes themselves.
constexpr uint64_t kBesides = uint64_t{256} << 20;

}  // namespace

MemoryNeed MemoryNeedOf(const SuiteRow& row) {
  const CallDraft draft = FindRowOperator(row.operator_name)->draft(row);
  uint64_t inputs = 0, outputs = 0;
  for (const auto& input : draft.inputs) inputs += input ? BytesOf(input->tensor) : 0;
  for (const CallTensor& output : draft.outputs) outputs += BytesOf(output);
  return {kInputsInWorker * inputs + kOutputsInWorker * outputs + kBesides,
          kInputsInHarness * inputs + kOutputsInHarness * outputs + kBesides};
}

uint64_t AvailableMemory() {
  std::ifstream facts("/proc/meminfo");
  std::string name, unit;
  uint64_t kibibytes = 0;
  while (facts >> name >> kibibytes) {
    std::getline(facts, unit);
    if (name == "MemAvailable:") return kibibytes << 10;
  }
  return 0;
}

std::string MemoryObjection(const MemoryNeed& need, uint64_t worker_limit,
                            uint64_t available) {
  if (worker_limit > 0 && need.worker_bytes > worker_limit) {
    return fmt::format("{}takes {} in the worker, which may map {} (--memory)", kNotRun,
                       InGibibytes(need.worker_bytes), InGibibytes(worker_limit));
  }
  const uint64_t all = need.worker_bytes + need.harness_bytes;
  if (available > 0 && all > available) {
    return fmt::format("{}takes {} of memory, the machine has {} left", kNotRun,
                       InGibibytes(all), InGibibytes(available));
  }
  return "";
}

}  // namespace qconform
