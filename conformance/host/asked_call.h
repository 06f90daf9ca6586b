// Which question a backend is about to be asked: the function, and how the call differs
// from the case's own. A crash is told with both.
#ifndef QCONFORM_CONFORMANCE_HOST_ASKED_CALL_H_
#define QCONFORM_CONFORMANCE_HOST_ASKED_CALL_H_

#include <string>

#include "conformance/host/phase_board.h"

namespace qconform {

// Long enough to tell two questions apart.
inline constexpr size_t kAskedBytes = 96;

// While it lives the backend is asked about `what` instead of the case's own call:
// "another scale of input 0". The inner of two is the one that is told. All of this is
// for one thread at a time.
class Asked {
 public:
  explicit Asked(const std::string& what);
  ~Asked();
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;

  // "" for the case's own call.
  static const char* Now();

 private:
  char before_[kAskedBytes];
};

// While it lives BeginPhase tells this sink, which must outlive it.
class PhaseListener {
 public:
  explicit PhaseListener(const PhaseSink& sink);
  ~PhaseListener();
  PhaseListener(const PhaseListener&) = delete;
  PhaseListener& operator=(const PhaseListener&) = delete;
};

// A function of the backend, by its name, is called next.
void BeginPhase(const char* name);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_ASKED_CALL_H_
