// How the rows of config_api.json are read.
#ifndef QCONFORM_CLI_PARITY_CONFIG_API_CONFIG_API_ROWS_H_
#define QCONFORM_CLI_PARITY_CONFIG_API_CONFIG_API_ROWS_H_

#include <string>

#include "cli/parity/config_api/config_value.h"

namespace qconform::parity {

// Our result of a row: `steps` is a text or the dictionary that from_dict was given.
// `want` is the recorded result or null; rows whose steps are words are made from it
// where that is possible: a round trip, for one. Throws UnreadStep for a row that cannot
// be read; PipelineError, TorchRefusal and InputError where it is refused.
ordered_json ConfigApiResult(const std::string& name, const ordered_json& steps,
                             const ordered_json& want);

// Rows whose steps are words and not calls. Throws UnreadStep for all others.
ordered_json WordedResult(const std::string& name, const std::string& steps,
                          const ordered_json& want);

// CLASS.from_dict(dictionary), or an attribute of it if the recorded result is no
// dictionary: the name says which, "... missing is_dynamic".
ordered_json DictionaryResult(const std::string& name, const ordered_json& dictionary,
                              const ordered_json& want);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_CONFIG_API_CONFIG_API_ROWS_H_
