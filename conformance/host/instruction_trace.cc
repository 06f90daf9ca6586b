#include "conformance/host/instruction_trace.h"

#include <link.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include <array>
#include <string_view>

namespace qconform {

#if defined(__x86_64__)
namespace {

// A step costs a signal: a microsecond, or forty in a virtual machine.
constexpr int64_t kLargestTrace = 20'000;
constexpr greg_t kTrapFlag = 0x100;

struct Range {
  uintptr_t begin, end;
};

// Read by the signal handler, so plain memory.
InstructionTrace trace;
int64_t steps = 0;
std::array<Range, 16> foreign;
size_t foreign_count = 0;

bool IsForeign(std::string_view file) {
  if (file.empty()) return true;  // this program
  file.remove_prefix(file.rfind('/') + 1);
  for (const std::string_view name :
       {"libc.so", "libm.so", "ld-linux", "linux-vdso", "libpthread", "libgomp"})
    if (file.starts_with(name)) return true;
  return false;
}

int AddForeign(dl_phdr_info* info, size_t, void*) {
  if (!IsForeign(info->dlpi_name)) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0 ||
        foreign_count == foreign.size())
      continue;
    const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    foreign[foreign_count++] = {begin, begin + segment.p_memsz};
  }
  return 0;
}

// Before every instruction, which lies at RIP.
void OnStep(int, siginfo_t*, void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (++steps > kLargestTrace) {
    registers[REG_EFL] &= ~kTrapFlag;
    trace.complete = false;
    return;
  }
  const auto at = static_cast<uintptr_t>(registers[REG_RIP]);
  for (size_t i = 0; i < foreign_count; ++i)
    if (at >= foreign[i].begin && at < foreign[i].end) return;
  ++trace.instructions;
  const auto* byte = reinterpret_cast<const uint8_t*>(at);
  // Only a segment or a size of addresses may stand before these; in 64-bit mode the
  // first bytes mean nothing else.
  while (*byte == 0x64 || *byte == 0x65 || *byte == 0x67) ++byte;
  if (*byte == 0xC4 || *byte == 0xC5) ++trace.vex;
  if (*byte == 0x62) ++trace.evex;
}

void SetTrapFlag(bool on) {
  uint64_t flags = 0;
  // The red zone below the stack pointer is the compiler's.
  asm volatile("lea -128(%%rsp), %%rsp; pushfq; popq %0; lea 128(%%rsp), %%rsp"
               : "=r"(flags)
               :
               : "memory");
  flags = on ? flags | kTrapFlag : flags & ~uint64_t{kTrapFlag};
  asm volatile("lea -128(%%rsp), %%rsp; pushq %0; popfq; lea 128(%%rsp), %%rsp"
               :
               : "r"(flags)
               : "memory", "cc");
}

}  // namespace

bool CanTraceInstructions() { return true; }

InstructionTrace TraceInstructions(const std::function<void()>& work) {
  foreign_count = 0;
  dl_iterate_phdr(AddForeign, nullptr);
  trace = {};
  trace.complete = true;
  steps = 0;
  struct sigaction step = {}, before = {};
  step.sa_sigaction = OnStep;
  step.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGTRAP, &step, &before);
  SetTrapFlag(true);
  work();
  SetTrapFlag(false);
  sigaction(SIGTRAP, &before, nullptr);
  return trace;
}

#else

bool CanTraceInstructions() { return false; }

InstructionTrace TraceInstructions(const std::function<void()>& work) {
  work();
  return {};
}

#endif

}  // namespace qconform
