#include "reference/formats/fuzz_target.h"
#include "reference/golden/golden_files.h"

using namespace qconform;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return ReadOrRefuse(data, size, [](std::string_view bytes) {
    const FileInMemory file(bytes);
    const std::string written = ManifestText(ReadManifest(file.path()));
    const FileInMemory again(written);
    ExpectSameText(written, ManifestText(ReadManifest(again.path())));
  });
}
