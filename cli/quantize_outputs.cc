#include "cli/quantize_outputs.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "cli/golden_folder.h"
#include "reference/formats/graph_tensor_file.h"
#include "reference/formats/json_file.h"
#include "reference/formats/json_value.h"
#include "reference/formats/write_file.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

// One spelling of a path, which need not exist.
fs::path Place(const std::string& path) {
  const fs::path place = fs::weakly_canonical(fs::absolute(path));
  return place.has_filename() ? place : place.parent_path();
}

bool IsWithin(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

// model.json and the files that it names; none if it cannot be read, which LoadModel
// says.
std::vector<std::string> ModelFiles(const fs::path& folder) {
  const fs::path file = folder / "model.json";
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return {};
  const JsonFile json = JsonFile::Read(file);
  std::vector<std::string> files = {file.string()};
  const auto add = [&](const ordered_json& object, const char* key) {
    const ordered_json* name = object.is_object() ? FindMember(object, key) : nullptr;
    if (name == nullptr || !name->is_string()) return;
    files.push_back((folder / name->get<std::string>()).string());
  };
  add(json.root(), "graph");
  if (files.size() > 1) files.push_back(GraphTensorFile(files.back()).string());
  for (const char* role : {"calibration", "evaluation"}) {
    const auto source = json.root().find(role);
    if (source != json.root().end()) add(*source, "file");
  }
  return files;
}

// The files that the options name, and the model's.
std::vector<std::string> InputFiles(const ModelSource& source) {
  std::vector<std::string> files;
  std::error_code error;
  for (const std::string& file :
       {source.graph, GraphTensorFile(source.graph).string(), source.calibration,
        source.config, source.mapping, source.prepare_custom_config,
        source.convert_custom_config, source.state_dict}) {
    if (fs::is_regular_file(file, error)) files.push_back(file);
  }
  if (source.model.empty()) return files;
  const std::vector<std::string> own = ModelFiles(ModelFolder(source.model));
  files.insert(files.end(), own.begin(), own.end());
  return files;
}

std::vector<std::string> FilesBeside(const QuantizeOutputs& outputs) {
  std::vector<std::string> files;
  for (const std::string& kind : outputs.kinds) {
    files.push_back(GraphBeside(outputs.golden, kind));
    files.push_back(GraphTensorFile(files.back()).string());
  }
  if (!outputs.summary.empty()) files.push_back(outputs.summary);
  return files;
}

}  // namespace

std::string GraphBeside(const std::string& golden, const std::string& kind) {
  std::string folder = golden;
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  return folder + "." + kind + ".graph.json";
}

void RequireOutputs(const QuantizeOutputs& outputs, const ModelSource& source) {
  if (outputs.golden.empty()) {
    throw InputError("--out", "an empty path", "the folder of the golden");
  }
  const fs::path folder = Place(outputs.golden);
  RequireWritable(folder / "manifest.json");
  std::map<fs::path, std::string> taken;
  for (const std::string& input : InputFiles(source)) {
    const fs::path place = Place(input);
    if (place.parent_path() == folder) {
      throw InputError("--out " + outputs.golden, input + ", which is read, lies in it",
                       "a folder for the golden alone");
    }
    taken.emplace(place, "is read as well");
  }
  for (const std::string& file : FilesBeside(outputs)) {
    const fs::path place = Place(file);
    if (IsWithin(place, folder) || IsWithin(folder, place)) {
      throw InputError(file, "collides with the golden's folder " + outputs.golden,
                       "a file beside it");
    }
    const auto [at, is_new] = taken.emplace(place, "is written twice");
    if (!is_new) throw InputError(file, at->second, "a file of its own");
    RequireWritable(file);
  }
}

}  // namespace qconform
