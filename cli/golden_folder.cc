#include "cli/golden_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <vector>

#include "cli/data_folder.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

constexpr char kManifest[] = "manifest.json";
constexpr char kModelFile[] = "model.json";

std::vector<fs::path> FoldersIn(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing))
    if (entry.is_directory()) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::string Choice(const std::string& folder, const std::vector<std::string>& names) {
  if (names.empty()) return folder;
  return fmt::format("{}, or one of: {}", folder, fmt::join(names, ", "));
}

fs::path Goldens() { return DataFolder("goldens", QCONFORM_GOLDEN_DIR); }
fs::path Models() { return DataFolder("models", QCONFORM_MODEL_DIR); }

}  // namespace

std::optional<fs::path> GoldenFolderOfName(const std::string& name) {
  const size_t dot = name.find('.');
  if (dot == std::string::npos || name.find('/') != std::string::npos)
    return std::nullopt;
  fs::path folder = Goldens() / name.substr(0, dot) / name.substr(dot + 1);
  if (!fs::is_regular_file(folder / kManifest)) return std::nullopt;
  return folder;
}

fs::path GoldenFolder(const std::string& name_or_folder) {
  if (fs::is_regular_file(fs::path(name_or_folder) / kManifest)) return name_or_folder;
  if (auto folder = GoldenFolderOfName(name_or_folder)) return std::move(*folder);
  std::vector<std::string> names;
  for (const fs::path& model : FoldersIn(Goldens()))
    for (const fs::path& config : FoldersIn(model))
      if (fs::is_regular_file(config / kManifest))
        names.push_back(model.filename().string() + "." + config.filename().string());
  throw InputError(name_or_folder, "no golden here",
                   Choice("a folder with manifest.json", names));
}

fs::path ModelFolder(const std::string& name_or_folder) {
  if (fs::is_regular_file(fs::path(name_or_folder) / kModelFile)) return name_or_folder;
  const fs::path named = Models() / name_or_folder;
  if (name_or_folder.find('/') == std::string::npos &&
      fs::is_regular_file(named / kModelFile))
    return named;
  std::vector<std::string> names;
  for (const fs::path& model : FoldersIn(Models()))
    if (fs::is_regular_file(model / kModelFile))
      names.push_back(model.filename().string());
  throw InputError(name_or_folder, "no model here",
                   Choice("a folder with model.json", names));
}

}  // namespace qconform
