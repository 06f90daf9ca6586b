// The call of the ABI that a worker makes, in a page that it shares with its host: a
// worker that dies leaves there what it was about to do.
#ifndef QCONFORM_CONFORMANCE_HOST_PHASE_BOARD_H_
#define QCONFORM_CONFORMANCE_HOST_PHASE_BOARD_H_

#include <cstddef>
#include <functional>
#include <string>

namespace qconform {

// What a worker was about to do.
struct Phase {
  std::string name;   // "load", "query", "plan", "run", "destroy", "partition"
  std::string asked;  // how the question differs from the case's own (asked_call.h)
};

inline constexpr size_t kPhaseBytes = 128;

// Told the name of the ABI call that begins.
using PhaseSink = std::function<void(const char*)>;

// The host's side.
class PhaseBoard {
 public:
  // Throws std::system_error.
  PhaseBoard();
  ~PhaseBoard();
  PhaseBoard(const PhaseBoard&) = delete;
  PhaseBoard& operator=(const PhaseBoard&) = delete;

  // To be handed to the worker; none of the lowest ten.
  int descriptor() const { return descriptor_; }
  void Clear();
  // Empty since Clear. Names end at the first byte that is no small letter, the rest at
  // the first that cannot be printed: a backend may have scribbled over it.
  Phase Last() const;

 private:
  int descriptor_ = -1;
  char* page_ = nullptr;
};

// The worker's side. Closes the descriptor; the page stays until the process ends.
// nullptr: no board.
char* OpenPhaseBoard(int descriptor);
void WritePhase(char* board, const char* phase, const char* asked = "");

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_PHASE_BOARD_H_
