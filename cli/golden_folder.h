// Goldens and models by name: those that lie in datasets, or beside an installed binary.
#ifndef QCONFORM_CLI_GOLDEN_FOLDER_H_
#define QCONFORM_CLI_GOLDEN_FOLDER_H_

#include <filesystem>
#include <optional>
#include <string>

namespace qconform {

// "digits.x86" lies in goldens/digits/x86, and "two_modes.x86.strict" in
// goldens/two_modes/x86.strict. None if no golden lies there.
std::optional<std::filesystem::path> GoldenFolderOfName(const std::string& name);

// A golden by its folder or by its name. Throws InputError that lists the names that
// there are.
std::filesystem::path GoldenFolder(const std::string& name_or_folder);

// A model by its folder, which has a model.json, or by its name in models, "digits".
// Throws InputError that lists the names that there are.
std::filesystem::path ModelFolder(const std::string& name_or_folder);

}  // namespace qconform

#endif  // QCONFORM_CLI_GOLDEN_FOLDER_H_
