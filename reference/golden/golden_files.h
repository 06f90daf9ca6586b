// The names of a golden's files, and its manifest as text.
#ifndef QCONFORM_REFERENCE_GOLDEN_GOLDEN_FILES_H_
#define QCONFORM_REFERENCE_GOLDEN_GOLDEN_FILES_H_

#include <filesystem>
#include <string>

#include "reference/golden/golden.h"

namespace qconform {

inline constexpr char kManifestFile[] = "manifest.json";
inline constexpr char kPreparedFile[] = "prepared.graph.json";
inline constexpr char kReferenceFile[] = "reference.graph.json";
inline constexpr char kProgramFile[] = "program.json";
inline constexpr char kProgramTensorFile[] = "program.safetensors";
inline constexpr char kQparamsFile[] = "qparams.json";
inline constexpr char kValuesFile[] = "values.safetensors";
inline constexpr char kFloatFile[] = "float.safetensors";

std::string ManifestText(const GoldenManifest& manifest);
// Throws InputError.
GoldenManifest ReadManifest(const std::filesystem::path& file);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_GOLDEN_GOLDEN_FILES_H_
