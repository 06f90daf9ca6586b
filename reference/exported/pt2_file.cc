#include "reference/exported/pt2_file.h"

#include <utility>

#include "reference/exported/archive.h"
#include "reference/exported/payloads.h"
#include "reference/exported/program_json.h"
#include "reference/exported/quoted_text.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

std::string Trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

void RequireContent(Archive& archive, const std::string& member,
                    const std::string& expected) {
  const std::string content =
      archive.SizeOf(member) > 64 ? "" : Trimmed(archive.Read(member));
  if (content != expected) {
    throw InputError(archive.Where(member), "it says " + Quoted(content),
                     "'" + expected + "'");
  }
}

// The name of the only model: torch.export.save writes one.
std::string ModelName(const Archive& archive) {
  constexpr std::string_view kFolder = "models/";
  constexpr std::string_view kExtension = ".json";
  std::string name;
  int count = 0;
  for (const std::string& member : archive.Members()) {
    if (!member.starts_with(kFolder) || !member.ends_with(kExtension)) continue;
    name = member.substr(kFolder.size());
    name.resize(name.size() - kExtension.size());
    ++count;
  }
  if (count != 1) {
    throw InputError(archive.name(),
                     "it holds " + std::to_string(count) + " exported programs",
                     "one models/NAME.json, as torch.export.save writes");
  }
  return name;
}

ExportedProgram ReadProgram(Archive archive, const TensorMaker& make) {
  RequireContent(archive, "archive_format", "pt2");
  RequireContent(archive, "archive_version", "0");
  RequireContent(archive, "byteorder", "little");
  const std::string model = ModelName(archive);
  ProgramTensors tensors;
  tensors.weights =
      ReadPayloads(archive, "data/weights/" + model + "_weights_config.json", make);
  tensors.constants =
      ReadPayloads(archive, "data/constants/" + model + "_constants_config.json", make);
  const std::string member = "models/" + model + ".json";
  const JsonFile file = JsonFile::Parse(archive.Read(member), archive.Where(member));
  const std::string samples = "data/sample_inputs/" + model + ".pt";
  const bool guarded = archive.Has(samples) && archive.SizeOf(samples) > 0;
  return ExportedProgramFromJson(file, tensors, guarded);
}

}  // namespace

ExportedProgram ReadPt2File(const std::filesystem::path& path, const TensorMaker& make) {
  return ReadProgram(Archive::Open(path), make);
}

ExportedProgram ParsePt2(MappedBytes bytes, const std::string& name,
                         const TensorMaker& make) {
  return ReadProgram(Archive::Parse(std::move(bytes), name), make);
}

bool LacksWeights(const std::filesystem::path& path) {
  Archive archive = Archive::Open(path);
  bool lacking = false;
  const TensorMaker note = [&lacking](const std::string&, DType dtype, const Shape&) {
    lacking = true;
    return Tensor(dtype, {0});
  };
  const std::string model = ModelName(archive);
  ReadPayloads(archive, "data/weights/" + model + "_weights_config.json", note);
  return lacking;
}

bool IsPt2File(const std::filesystem::path& path) { return path.extension() == ".pt2"; }

}  // namespace qconform
