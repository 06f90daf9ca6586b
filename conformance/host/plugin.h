// A loaded backend: the shared object and its table. Loading runs the backend's
// code, so the judge loads only inside a worker process; benchmarks, which own
// their process, may load in place.
#ifndef QCONFORM_CONFORMANCE_HOST_PLUGIN_H_
#define QCONFORM_CONFORMANCE_HOST_PLUGIN_H_

#include <filesystem>
#include <stdexcept>
#include <string>

#include "conformance/host/call_reply.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

// The backend cannot be used: exit code 6. One line for a person.
class BackendError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Plugin {
 public:
  // Throws BackendError: no such file, no shared object, symbol not exported,
  // another major version, a table without one of its functions.
  explicit Plugin(const std::filesystem::path& file);
  ~Plugin();
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  const qc_backend& table() const { return *table_; }

 private:
  void* handle_ = nullptr;
  const qc_backend* table_ = nullptr;
};

// What the table says of itself.
LoadedBackend Describe(const qc_backend& table);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_PLUGIN_H_
