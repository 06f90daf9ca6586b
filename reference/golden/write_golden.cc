#include "reference/formats/graph_json.h"
#include "reference/formats/json_text.h"
#include "reference/formats/safetensors.h"
#include "reference/formats/sha256.h"
#include "reference/formats/write_file.h"
#include "reference/golden/golden_files.h"
#include "reference/lower/program_json.h"

namespace qconform {
namespace {

void Append(const OrderedMap<std::string>& from, OrderedMap<std::string>& to) {
  for (const auto& [name, bytes] : from) to.Set(name, bytes);
}

}  // namespace

OrderedMap<std::string> GoldenFiles(const Golden& golden) {
  OrderedMap<std::string> files;
  if (golden.prepared) Append(GraphFileBytes(kPreparedFile, *golden.prepared), files);
  if (golden.reference) Append(GraphFileBytes(kReferenceFile, *golden.reference), files);
  OrderedMap<Tensor> constants;
  files.Set(kProgramFile, JsonText(ProgramToJson(golden.program, constants)));
  files.Set(kProgramTensorFile, SafetensorsBytes(constants));
  files.Set(kQparamsFile, JsonText(golden.qparams));
  files.Set(kValuesFile, SafetensorsBytes(golden.values));
  files.Set(kFloatFile, SafetensorsBytes(golden.float_values));
  return files;
}

GoldenManifest WriteGolden(const std::filesystem::path& folder, const Golden& golden,
                           uint64_t max_tensor_bytes) {
  GoldenManifest manifest = golden.manifest;
  manifest.files.clear();
  for (const auto& [name, bytes] : GoldenFiles(golden)) {
    const bool left_out = max_tensor_bytes > 0 && name.ends_with(".safetensors") &&
                          bytes.size() > max_tensor_bytes;
    manifest.files.Set(name, {bytes.size(), Sha256Hex(bytes), left_out});
    if (!left_out) WriteFileAtomically(folder / name, bytes);
  }
  // Last: a folder without a manifest is not a golden.
  WriteFileAtomically(folder / kManifestFile, ManifestText(manifest));
  return manifest;
}

}  // namespace qconform
