// The call of the ABI that a worker makes, in a page that it shares with its host: a
// worker that dies leaves there what it was about to do.
#ifndef QCONFORM_CONFORMANCE_HOST_PHASE_BOARD_H_
#define QCONFORM_CONFORMANCE_HOST_PHASE_BOARD_H_

#include <cstddef>
#include <functional>
#include <string>

namespace qconform {

// "load", "query", "plan", "run", "destroy".
inline constexpr size_t kPhaseBytes = 16;

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
  // "" since Clear. Up to the first byte that is no small letter: a backend may have
  // scribbled over it.
  std::string Text() const;

 private:
  int descriptor_ = -1;
  char* page_ = nullptr;
};

// The worker's side. Closes the descriptor; the page stays until the process ends.
// nullptr: no board.
char* OpenPhaseBoard(int descriptor);
void WritePhase(char* board, const char* phase);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_PHASE_BOARD_H_
