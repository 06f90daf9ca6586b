#include "conformance/verdict/journal.h"
#include "reference/formats/fuzz_target.h"

using namespace qconform;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return ReadOrRefuse(data, size, [](std::string_view bytes) {
    const FileInMemory file(bytes);
    ReadJournal(file.path());
  });
}
