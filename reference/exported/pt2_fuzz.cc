#include "reference/exported/pt2_file.h"
#include "reference/formats/fuzz_target.h"

using namespace qconform;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return ReadOrRefuse(data, size, [](std::string_view bytes) {
    const FileInMemory file(bytes);
    ReadPt2File(file.path());
  });
}
