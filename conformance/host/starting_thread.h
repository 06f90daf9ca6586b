// Where processes are started that end with this one.
#ifndef QCONFORM_CONFORMANCE_HOST_STARTING_THREAD_H_
#define QCONFORM_CONFORMANCE_HOST_STARTING_THREAD_H_

#include <functional>

namespace qconform {

// Runs `start` on a thread that lives as long as this process, and waits for it. A child
// that asks for PR_SET_PDEATHSIG is killed as soon as the thread that started it ends,
// not the process.
void OnStartingThread(const std::function<void()>& start);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_STARTING_THREAD_H_
