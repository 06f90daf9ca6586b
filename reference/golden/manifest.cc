#include "reference/formats/json_text.h"
#include "reference/formats/json_value.h"
#include "reference/golden/golden_files.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr char kFormat[] = "qconform.golden/1";

bool IsDigest(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

class ManifestReader {
 public:
  explicit ManifestReader(const std::filesystem::path& path)
      : file_(JsonFile::Read(path)) {}

  GoldenManifest Read() const {
    const ordered_json& root = RequireObject(file_.root(), "a manifest", file_);
    RequireOnlyKeys(
        root, "a manifest",
        {"format", "tool", "model", "config", "mode", "fill", "sources", "files"}, file_);
    if (Text(root, "format") != kFormat) {
      Refuse(RequireMember(root, "format", file_),
             "the format is " + Text(root, "format"), kFormat);
    }
    GoldenManifest manifest;
    manifest.tool = Text(root, "tool");
    manifest.source.model = Text(root, "model");
    manifest.source.config = Text(root, "config");
    manifest.source.mode = Text(root, "mode");
    if (FindMember(root, "fill") != nullptr) manifest.source.fill = Text(root, "fill");
    const ordered_json& sources = Object(root, "sources");
    for (const auto& [role, digest] : sources.items()) {
      manifest.source.digests.Set(role, Digest(digest));
    }
    for (const auto& [name, entry] : Object(root, "files").items()) {
      if (name.empty() || name[0] == '.' || name.find('/') != std::string::npos) {
        Refuse(entry, "'" + name + "' is no file of this folder", "a plain file name");
      }
      manifest.files.Set(name, File(entry));
    }
    return manifest;
  }

 private:
  [[noreturn]] void Refuse(const ordered_json& value, const std::string& what,
                           const std::string& expected) const {
    throw InputError(file_.Where(value), what, expected);
  }
  const ordered_json& Object(const ordered_json& root, const char* key) const {
    return RequireObject(RequireMember(root, key, file_), key, file_);
  }
  const std::string& Text(const ordered_json& object, const char* key) const {
    return RequireString(RequireMember(object, key, file_), key, file_);
  }
  const std::string& Digest(const ordered_json& value) const {
    const std::string& digest = RequireString(value, "a digest", file_);
    if (!IsDigest(digest)) {
      Refuse(value, "the digest is " + DescribeJson(value), "64 hexadecimal digits");
    }
    return digest;
  }
  GoldenFile File(const ordered_json& entry) const {
    RequireOnlyKeys(RequireObject(entry, "a file", file_), "a file",
                    {"bytes", "sha256", "left_out"}, file_);
    GoldenFile file;
    const ordered_json& bytes = RequireMember(entry, "bytes", file_);
    const int64_t size = RequireInteger(bytes, "bytes", file_);
    if (size < 0) Refuse(bytes, "bytes is " + DescribeJson(bytes), "0 or more");
    file.bytes = static_cast<uint64_t>(size);
    file.sha256 = Digest(RequireMember(entry, "sha256", file_));
    if (const ordered_json* left_out = FindMember(entry, "left_out")) {
      file.left_out = RequireBoolean(*left_out, "left_out", file_);
    }
    return file;
  }

  JsonFile file_;
};

}  // namespace

std::string ManifestText(const GoldenManifest& manifest) {
  ordered_json root = ordered_json::object();
  root["format"] = kFormat;
  root["tool"] = manifest.tool;
  root["model"] = manifest.source.model;
  root["config"] = manifest.source.config;
  root["mode"] = manifest.source.mode;
  if (!manifest.source.fill.empty()) root["fill"] = manifest.source.fill;
  ordered_json sources = ordered_json::object();
  for (const auto& [role, digest] : manifest.source.digests) sources[role] = digest;
  root["sources"] = std::move(sources);
  ordered_json files = ordered_json::object();
  for (const auto& [name, file] : manifest.files) {
    ordered_json entry = {{"bytes", file.bytes}, {"sha256", file.sha256}};
    if (file.left_out) entry["left_out"] = true;
    files[name] = std::move(entry);
  }
  root["files"] = std::move(files);
  // Wide enough for a digest and its file on one line.
  return JsonText(root, 140);
}

GoldenManifest ReadManifest(const std::filesystem::path& file) {
  return ManifestReader(file).Read();
}

}  // namespace qconform
