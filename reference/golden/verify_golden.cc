#include <algorithm>

#include "reference/formats/sha256.h"
#include "reference/formats/write_file.h"
#include "reference/golden/golden_files.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

class Verifier {
 public:
  Verifier(const fs::path& folder, const GoldenManifest& manifest)
      : folder_(folder), manifest_(manifest) {}

  void CheckFiles() {
    for (const auto& [name, file] : manifest_.files) {
      std::error_code error;
      if (!fs::exists(folder_ / name, error)) {
        if (!file.left_out) Add(name, "it is missing", Promise(file));
        continue;
      }
      CheckBytes(name, file, ReadFileBytes(folder_ / name), "it has");
    }
    CheckForStrangers();
  }

  void CheckSources(const GoldenSource& current) {
    if (current.model != manifest_.source.model ||
        current.config != manifest_.source.config ||
        current.mode != manifest_.source.mode || current.fill != manifest_.source.fill) {
      Add(kManifestFile, "it is of " + Name(manifest_.source),
          "a golden of " + Name(current));
    }
    for (const auto& [role, digest] : current.digests) {
      const std::string* kept = manifest_.source.digests.Find(role);
      if (kept == nullptr) {
        Add(kManifestFile, "it knows no source '" + role + "'", "digest " + digest);
      } else if (*kept != digest) {
        Add(kManifestFile, "source '" + role + "' was " + *kept + " and is now " + digest,
            "a golden that was made again");
      }
    }
    for (const auto& [role, digest] : manifest_.source.digests) {
      if (!current.digests.Contains(role)) {
        Add(kManifestFile, "source '" + role + "' is no more", "the sources it names");
      }
    }
  }

  void CheckMadeAgain(const Golden& golden) {
    const OrderedMap<std::string> made = GoldenFiles(golden);
    for (const auto& [name, bytes] : made) {
      const GoldenFile* file = manifest_.files.Find(name);
      if (file == nullptr) {
        Add(name, "it is made now and was not", "the files of the manifest");
      } else {
        CheckBytes(name, *file, bytes, "made again it has");
      }
    }
    for (const auto& [name, file] : manifest_.files) {
      if (!made.Contains(name)) Add(name, "it is not made any more", Promise(file));
    }
  }

  std::vector<std::string> Take() { return std::move(errors_); }

 private:
  static std::string Name(const GoldenSource& source) {
    return source.model + " under " + source.config + ", mode " + source.mode +
           (source.fill.empty() ? "" : ", fill " + source.fill);
  }

  static std::string Promise(const GoldenFile& file) {
    return std::to_string(file.bytes) + " bytes with digest " + file.sha256;
  }

  void Add(const std::string& name, const std::string& what,
           const std::string& expected) {
    errors_.push_back((folder_ / name).string() + ": " + what + ", expected " + expected);
  }

  void CheckBytes(const std::string& name, const GoldenFile& file,
                  const std::string& bytes, const char* how) {
    const std::string digest = Sha256Hex(bytes);
    if (digest == file.sha256 && bytes.size() == file.bytes) return;
    Add(name,
        std::string(how) + " " + std::to_string(bytes.size()) + " bytes with digest " +
            digest,
        Promise(file));
  }

  void CheckForStrangers() {
    std::vector<std::string> strangers;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
      const std::string name = entry.path().filename().string();
      if (name != kManifestFile && !manifest_.files.Contains(name)) {
        strangers.push_back(name);
      }
    }
    std::sort(strangers.begin(), strangers.end());
    for (const std::string& name : strangers) {
      Add(name, "the manifest does not name it", "only files of the golden");
    }
  }

  const fs::path& folder_;
  const GoldenManifest& manifest_;
  std::vector<std::string> errors_;
};

}  // namespace

std::vector<std::string> VerifyGolden(const fs::path& folder, const GoldenSource* current,
                                      const Golden* made_again) {
  try {
    const GoldenManifest manifest = ReadManifest(folder / kManifestFile);
    Verifier verifier(folder, manifest);
    verifier.CheckFiles();
    if (current != nullptr) verifier.CheckSources(*current);
    if (made_again != nullptr) verifier.CheckMadeAgain(*made_again);
    return verifier.Take();
  } catch (const InputError& error) {
    return {error.what()};
  }
}

}  // namespace qconform
