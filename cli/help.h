// `qconform help`, `help VERB...` and `help conformance`.
#ifndef QCONFORM_CLI_HELP_H_
#define QCONFORM_CLI_HELP_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace qconform {

// What --help prints of the verb that the words name, or a page about a topic. Throws
// InputError for words that name neither.
std::string HelpText(const CLI::App& app, const std::vector<std::string>& words);

// "qconform golden verify": what the parser had understood when it gave up.
std::string ParsedVerb(const CLI::App& app);

}  // namespace qconform

#endif  // QCONFORM_CLI_HELP_H_
