// The hidden verb that judged backends run under.
#include "cli/worker.h"

#include "conformance/host/worker_process.h"

namespace qconform {

void AddWorkerVerb(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand("worker", "Load a backend for another process");
  verb->group("");
  verb->callback([&exit_code] { exit_code = RunWorkerProcess(); });
}

}  // namespace qconform
