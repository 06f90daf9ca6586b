// Where the tests find the worker and the saboteurs of this build.
#ifndef QCONFORM_CONFORMANCE_SABOTEURS_SABOTEUR_FILES_H_
#define QCONFORM_CONFORMANCE_SABOTEURS_SABOTEUR_FILES_H_

#include <filesystem>
#include <string>

#include "conformance/host/worker.h"

namespace qconform {

// "saboteur_crash_in_run", "unusable_no_run", ...
inline std::filesystem::path SaboteurFile(const std::string& name) {
  return std::filesystem::path(QCONFORM_SABOTEUR_DIR) / (name + ".so");
}

inline WorkerOptions TestWorkerOptions() {
  WorkerOptions options;
  options.command = {QCONFORM_WORKER};
  // Far beyond what a small case needs on a machine under load.
  options.time_limit_ms = 60000;
  return options;
}

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_SABOTEURS_SABOTEUR_FILES_H_
