// How the rows of config_api.json are read.
#ifndef QCONFORM_CLI_PARITY_CONFIG_API_CONFIG_API_ROWS_H_
#define QCONFORM_CLI_PARITY_CONFIG_API_CONFIG_API_ROWS_H_

#include <string>

#include "cli/parity/config_api/config_value.h"

namespace qconform::parity {

// What a record shows of a value. Its content is not told: no result can be made of it.
enum class RecordedForm {
  kNone,
  kScalar,
  kListOrObject,
  kConfigs,          // a backend config
  kConfigsWithKeys,  // a backend config whose entries have their keys
};
RecordedForm FormOf(const ordered_json& want);

// Our result of a row: `steps` is a text or the dictionary that from_dict was given.
// Throws UnreadStep for a row that cannot be read; PipelineError, TorchRefusal and
// InputError where it is refused.
ordered_json ConfigApiResult(const std::string& name, const ordered_json& steps,
                             RecordedForm form);

// Rows whose steps are words and not calls: each has inputs of its own. Throws
// UnreadStep for all others.
ordered_json WordedResult(const std::string& name, const std::string& steps);

// CLASS.from_dict(dictionary), or an attribute of it if the record has a scalar: the
// name says which, "... missing is_dynamic".
ordered_json DictionaryResult(const std::string& name, const ordered_json& dictionary,
                              RecordedForm form);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_CONFIG_API_CONFIG_API_ROWS_H_
