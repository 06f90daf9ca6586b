// The process that judged backends live in.
#ifndef QCONFORM_CLI_WORKER_H_
#define QCONFORM_CLI_WORKER_H_

#include <string>
#include <vector>

namespace qconform {

// qconform_worker, which lies beside this binary. It is a binary of its own so that a
// backend has the system's allocator, which stops at a damaged heap. Throws InputError if
// it is not there.
std::vector<std::string> WorkerCommand();

}  // namespace qconform

#endif  // QCONFORM_CLI_WORKER_H_
