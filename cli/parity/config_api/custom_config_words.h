// Rows of config_api.json in words about the custom configs, made with inputs of ours.
#ifndef QCONFORM_CLI_PARITY_CONFIG_API_CUSTOM_CONFIG_WORDS_H_
#define QCONFORM_CLI_PARITY_CONFIG_API_CUSTOM_CONFIG_WORDS_H_

#include <nlohmann/json.hpp>

namespace qconform::parity {

using nlohmann::ordered_json;

// The attributes of a PrepareCustomConfig whose dictionary has all eight keys.
ordered_json PrepareAttributes();

// The sorted keys of the dictionaries that configs write: a PrepareCustomConfig with all
// but standalone classes, a ConvertCustomConfig with all.
ordered_json FullPrepareKeys();
ordered_json FullConvertKeys();

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_CONFIG_API_CUSTOM_CONFIG_WORDS_H_
