#include "reference/formats/graph_json.h"
#include "reference/formats/safetensors.h"
#include "reference/golden/golden_files.h"
#include "reference/ir/error.h"
#include "reference/lower/program_json.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

void RequireFiles(const fs::path& folder, const GoldenManifest& manifest) {
  for (const char* name : {kPreparedFile, kReferenceFile, kProgramFile,
                           kProgramTensorFile, kQparamsFile, kValuesFile, kFloatFile}) {
    if (!manifest.files.Contains(name)) {
      throw InputError((folder / kManifestFile).string(),
                       std::string("it does not name ") + name, "a whole golden");
    }
  }
  for (const char* name : {kProgramTensorFile, kValuesFile, kFloatFile}) {
    if (!fs::exists(folder / name)) {
      throw InputError((folder / name).string(), "it was left out",
                       "the golden to be made again in full");
    }
  }
}

// The tensors of a graph may have been left out.
std::optional<GraphModule> ReadGraph(const fs::path& folder, const char* name,
                                     const GoldenManifest& manifest) {
  std::string tensors(name);
  tensors = tensors.substr(0, tensors.find('.')) + ".safetensors";
  const GoldenFile* file = manifest.files.Find(tensors);
  if (file != nullptr && file->left_out && !fs::exists(folder / tensors)) {
    return std::nullopt;
  }
  return ReadGraphFile(folder / name);
}

// Every value has its tensor; codes get the parameters that the program gives them.
void CheckValues(const fs::path& file, const Program& program,
                 OrderedMap<Tensor>& values) {
  size_t expected = 0;
  for (const ProgramValue& value : program.values) {
    if (value.constant) continue;
    ++expected;
    Tensor* tensor = values.Find(value.name);
    if (tensor == nullptr) {
      throw InputError(file.string(), "there is no value " + value.name,
                       "one for each value of the program");
    }
    if (tensor->dtype() != value.dtype || tensor->shape() != value.shape) {
      throw InputError(
          file.string(),
          "value " + value.name + " is " + std::string(DTypeName(tensor->dtype())) + " " +
              ShapeText(tensor->shape()),
          std::string(DTypeName(value.dtype)) + " " + ShapeText(value.shape));
    }
    if (value.quantization) tensor->set_quantization(*value.quantization);
  }
  if (expected != values.size()) {
    throw InputError(file.string(), "it holds values that the program does not have",
                     std::to_string(expected) + " tensors");
  }
}

}  // namespace

Golden ReadGolden(const fs::path& folder) {
  const std::vector<std::string> errors = VerifyGolden(folder);
  if (!errors.empty()) {
    const size_t split = errors[0].find(": ");
    throw InputError(errors[0].substr(0, split), errors[0].substr(split + 2));
  }
  Golden golden;
  golden.manifest = ReadManifest(folder / kManifestFile);
  RequireFiles(folder, golden.manifest);
  golden.prepared = ReadGraph(folder, kPreparedFile, golden.manifest);
  golden.reference = ReadGraph(folder, kReferenceFile, golden.manifest);
  const JsonFile program = JsonFile::Read(folder / kProgramFile);
  golden.program = ProgramFromJson(program.root(), program,
                                   ReadSafetensors(folder / kProgramTensorFile));
  golden.qparams = JsonFile::Read(folder / kQparamsFile).root();
  golden.values = ReadSafetensors(folder / kValuesFile);
  CheckValues(folder / kValuesFile, golden.program, golden.values);
  golden.float_values = ReadSafetensors(folder / kFloatFile);
  return golden;
}

}  // namespace qconform
