#include "reference/formats/fuzz_target.h"
#include "reference/formats/safetensors.h"

using namespace qconform;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return ReadOrRefuse(data, size, [](std::string_view bytes) {
    const std::string written = SafetensorsBytes(ParseSafetensors(bytes, "fuzz"));
    ExpectSameText(written, SafetensorsBytes(ParseSafetensors(written, "again")));
  });
}
