#include "conformance/host/holdings.h"

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace qconform {
namespace {

// glibc keeps up to seven freed blocks of a size at hand and counts them as in use: a
// leak shows in steps, and what is none may grow until such caches are full. None grows
// in each of so many steps.
constexpr int kStep = 8;
constexpr int kTurns = 8 * kStep;
// Memory that the C library keeps for later counts as in use, until its caches are full.
constexpr int kTurnsOfMemory = 64 * kStep;
// As often it is done though nothing grows.
constexpr int kFewestTurns = 2 * kStep;

size_t EntriesOf(const char* folder) {
  DIR* const open = opendir(folder);
  if (open == nullptr) return 0;
  size_t entries = 0;
  while (readdir(open) != nullptr) ++entries;
  closedir(open);
  return entries;
}

// The first number of /proc/self/statm, in pages. Without the heap, which is counted.
size_t MappedBytes() {
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[32] = "";
  const ssize_t got = read(file, text, sizeof text - 1);
  close(file);
  return got <= 0 ? 0
                  : std::strtoull(text, nullptr, 10) *
                        static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

struct Holding {
  const char* name;
  size_t ProcessHoldings::*amount;
  const char* unit;
  int turns;  // until growth is believed
};
// The first that grows is told: a kept thread keeps its stack, too.
constexpr std::array<Holding, 4> kHoldings = {
    {{"threads", &ProcessHoldings::threads, "", kTurns},
     {"open files", &ProcessHoldings::files, "", kTurns},
     {"memory", &ProcessHoldings::heap_bytes, " bytes", kTurnsOfMemory},
     {"mapped memory", &ProcessHoldings::mapped_bytes, " bytes", kTurnsOfMemory}}};

}  // namespace

ProcessHoldings HoldingsNow() {
  ProcessHoldings holdings;
  const struct mallinfo2 info = mallinfo2();
  holdings.heap_bytes = info.uordblks + info.hblkhd;
  holdings.mapped_bytes = MappedBytes();
  holdings.files = EntriesOf("/proc/self/fd");
  holdings.threads = EntriesOf("/proc/self/task");
  return holdings;
}

std::string GrowthOver(const char* what, const std::function<bool()>& turn) {
  const ProcessHoldings first = HoldingsNow();
  ProcessHoldings before = first;
  std::array<bool, kHoldings.size()> grows;
  grows.fill(true);
  for (int turns = 1; turns <= kTurnsOfMemory; ++turns) {
    if (!turn()) return "";
    if (turns % kStep != 0) continue;
    const ProcessHoldings now = HoldingsNow();
    bool any = false;
    for (size_t i = 0; i < kHoldings.size(); ++i) {
      const Holding& holding = kHoldings[i];
      grows[i] = grows[i] && now.*holding.amount > before.*holding.amount;
      any = any || grows[i];
      if (grows[i] && turns == holding.turns) {
        return std::string("keeps ") + holding.name + ": " +
               std::to_string(now.*holding.amount - first.*holding.amount) +
               holding.unit + " more after " + std::to_string(turns) + " " + what;
      }
    }
    if (!any && turns >= kFewestTurns) return "";
    before = now;
  }
  return "";
}

}  // namespace qconform
