#include "reference/formats/fuzz_target.h"
#include "reference/formats/safetensors.h"

using namespace qconform;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return RewriteOrRefuse(data, size, [](std::string_view bytes) {
    return SafetensorsBytes(ParseSafetensors(bytes, "fuzz"));
  });
}
