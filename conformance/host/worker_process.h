// The worker's side: a process that loads one backend and answers calls until its
// host goes away. `qconform worker` and the binary qconform_worker run it.
#ifndef QCONFORM_CONFORMANCE_HOST_WORKER_PROCESS_H_
#define QCONFORM_CONFORMANCE_HOST_WORKER_PROCESS_H_

namespace qconform {

// The channel to the host and the page of phase_board.h, opened by it.
inline constexpr int kWorkerDescriptor = 3;
inline constexpr int kPhaseDescriptor = 4;

// Does not return before the host closes the channel. The result is the exit code.
int RunWorkerProcess();

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_WORKER_PROCESS_H_
