#include "reference/formats/fuzz_target.h"
#include "reference/golden/golden_files.h"

using namespace qconform;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return RewriteOrRefuse(data, size, [](std::string_view bytes) {
    const FileInMemory file(bytes);
    return ManifestText(ReadManifest(file.path()));
  });
}
