#include "reference/config/backend_config_json.h"
#include "reference/formats/fuzz_target.h"
#include "reference/formats/json_text.h"

using namespace qconform;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return ReadOrRefuse(data, size, [](std::string_view text) {
    const JsonFile file = JsonFile::Parse(text, "fuzz");
    const std::string written =
        JsonText(BackendConfigToJson(BackendConfigFromJson(file.root(), file)));
    const JsonFile again = JsonFile::Parse(written, "again");
    ExpectSameText(
        written,
        JsonText(BackendConfigToJson(BackendConfigFromJson(again.root(), again))));
  });
}
