// Where the data lie that verbs read by name.
#ifndef QCONFORM_CLI_DATA_FOLDER_H_
#define QCONFORM_CLI_DATA_FOLDER_H_

#include <filesystem>
#include <string>

namespace qconform {

// share/qconform/`name` beside an installed binary; for a binary in its build folder
// `source`, the folder of the source tree.
std::filesystem::path DataFolder(const std::string& name,
                                 const std::filesystem::path& source);

}  // namespace qconform

#endif  // QCONFORM_CLI_DATA_FOLDER_H_
