// The worker as a binary of its own, for hosts that are not `qconform` (tests,
// benchmarks).
#include "conformance/host/worker_process.h"

int main() { return qconform::RunWorkerProcess(); }
