#include "conformance/host/manners.h"

#include <signal.h>

#include <cfenv>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace qconform {
namespace {

// Read once a call: Watched asks after every function.
struct sigaction expected_handler;

// All but the flags that remember exceptions.
uint32_t ControlNow() {
#if defined(__x86_64__)
  return _mm_getcsr() & ~0x3Fu;
#else
  return 0;
#endif
}

// Of the x87: 80-bit numbers, which long double is, obey these and no others.
struct X87 {
  uint16_t control = 0;
  bool in_use = false;  // registers that hold something, by the System V ABI none
};

X87 X87Now() {
#if defined(__x86_64__)
  struct {
    uint16_t control, unused0, status, unused1, tags, unused2;
    uint32_t pointers[4];
  } environment;
  // Masks all exceptions besides.
  __asm__ volatile("fnstenv %0\n\tfldcw %0" : "=m"(environment));
  return {environment.control, environment.tags != 0xFFFF};
#else
  return {};
#endif
}

void SetX87([[maybe_unused]] uint16_t control) {
#if defined(__x86_64__)
  __asm__ volatile("emms\n\tfldcw %0" : : "m"(control));
#endif
}

}  // namespace

FloatingPointEnvironment::FloatingPointEnvironment()
    : rounding_(std::fegetround()),
      control_(ControlNow()),
      x87_control_(X87Now().control) {}

std::string FloatingPointEnvironment::Restore() const {
  const bool rounds = std::fegetround() != rounding_;
  const bool controls = ControlNow() != control_;
  const X87 x87 = X87Now();
  if (!rounds && !controls && !x87.in_use && x87.control == x87_control_) return "";
  std::fesetround(rounding_);
#if defined(__x86_64__)
  _mm_setcsr(control_);
#endif
  SetX87(x87_control_);
  if (rounds) return "leaves another rounding mode behind";
  if (controls) return "leaves denormals flushed or exceptions unmasked";
  return x87.in_use ? "leaves registers of the x87 in use, as MMX code without emms does"
                    : "leaves another precision or other exceptions of the x87 behind";
}

void ExpectFaultHandler() { sigaction(SIGSEGV, nullptr, &expected_handler); }

bool RestoreFaultHandler() {
  struct sigaction now;
  sigaction(SIGSEGV, nullptr, &now);
  if (now.sa_sigaction == expected_handler.sa_sigaction) return false;
  sigaction(SIGSEGV, &expected_handler, nullptr);
  return true;
}

}  // namespace qconform
