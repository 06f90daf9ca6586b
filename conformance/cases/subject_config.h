// The config that says what a backend declares.
#ifndef QCONFORM_CONFORMANCE_CASES_SUBJECT_CONFIG_H_
#define QCONFORM_CONFORMANCE_CASES_SUBJECT_CONFIG_H_

#include <optional>
#include <string>

#include "conformance/host/call_reply.h"
#include "reference/config/backend_config.h"
#include "reference/config/config_finding.h"

namespace qconform {

struct SubjectConfig {
  BackendConfig config;
  std::string origin;           // "the backend's own", a file, or "built-in x86"
  std::string text;             // its JSON text
  std::string digest;           // SHA-256 of that
  ConfigFindings ignored = {};  // what its reader noticed and went on
};

// `name_or_file`: a JSON file or the name of a built-in config; empty: the backend's
// own, nullopt if it has none. Throws InputError, with the line, on malformed JSON.
std::optional<SubjectConfig> ConfigOf(const LoadedBackend& backend,
                                      const std::string& name_or_file);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_SUBJECT_CONFIG_H_
