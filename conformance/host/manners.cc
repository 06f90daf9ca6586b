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

}  // namespace

FloatingPointEnvironment::FloatingPointEnvironment()
    : rounding_(std::fegetround()), control_(ControlNow()) {}

std::string FloatingPointEnvironment::Restore() const {
  const bool rounds = std::fegetround() != rounding_;
  const bool controls = ControlNow() != control_;
  if (!rounds && !controls) return "";
  std::fesetround(rounding_);
#if defined(__x86_64__)
  _mm_setcsr(control_);
#endif
  return rounds ? "leaves another rounding mode behind"
                : "leaves denormals flushed or exceptions unmasked";
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
