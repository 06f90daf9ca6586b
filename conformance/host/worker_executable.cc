// The worker as a binary of its own, with nothing in it but what a backend needs.
#include "conformance/host/worker_process.h"

int main() { return qconform::RunWorkerProcess(); }
