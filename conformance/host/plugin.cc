#include "conformance/host/plugin.h"

#include <dlfcn.h>

#include <cstddef>

namespace qconform {
namespace {

using EntryPoint = const qc_backend* (*)(uint32_t, uint32_t);

std::string VersionText(uint32_t major, uint32_t minor) {
  return std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace

Plugin::Plugin(const std::filesystem::path& file) {
  const std::string name = file.string();
  if (!std::filesystem::exists(file)) {
    throw BackendError(name + ": no such file, expected a shared object");
  }
  // A bare name would be searched for in the system's folders.
  handle_ = dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) {
    const char* error = dlerror();
    throw BackendError(name + ": cannot be loaded (" +
                       (error != nullptr ? error : "no reason given") +
                       "), expected a shared object");
  }
  auto entry = reinterpret_cast<EntryPoint>(dlsym(handle_, "qconform_backend"));
  if (entry == nullptr) {
    throw BackendError(name + ": exports no symbol, expected qconform_backend");
  }
  table_ = entry(QC_ABI_MAJOR, QC_ABI_MINOR);
  const std::string spoken = VersionText(QC_ABI_MAJOR, QC_ABI_MINOR);
  if (table_ == nullptr) {
    throw BackendError(name + ": cannot speak ABI " + spoken +
                       ", expected a table from qconform_backend");
  }
  if (table_->abi_major != QC_ABI_MAJOR) {
    throw BackendError(name + ": speaks ABI " +
                       VersionText(table_->abi_major, table_->abi_minor) + ", expected " +
                       std::to_string(QC_ABI_MAJOR) + ".x");
  }
  if (table_->size < offsetof(qc_backend, partition) || table_->query == nullptr ||
      table_->plan == nullptr || table_->run == nullptr || table_->destroy == nullptr) {
    throw BackendError(name +
                       ": the table is not complete, expected query, plan, run "
                       "and destroy");
  }
  if (table_->name == nullptr || table_->version == nullptr) {
    throw BackendError(name + ": the table has no name or version, expected both");
  }
}

// Never dlclose: a backend's threads may still be in its code.
Plugin::~Plugin() = default;

LoadedBackend Describe(const qc_backend& table) {
  LoadedBackend backend;
  backend.name = table.name;
  backend.version = table.version;
  backend.abi_major = table.abi_major;
  backend.abi_minor = table.abi_minor;
  if (table.config != nullptr) backend.config = table.config;
  backend.has_partition = table.size >= sizeof(qc_backend) && table.partition != nullptr;
  return backend;
}

}  // namespace qconform
