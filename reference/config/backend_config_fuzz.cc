#include "reference/config/backend_config_json.h"
#include "reference/formats/fuzz_target.h"
#include "reference/formats/json_text.h"

using namespace qconform;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return RewriteOrRefuse(data, size, [](std::string_view text) {
    const JsonFile file = JsonFile::Parse(text, "fuzz");
    return JsonText(BackendConfigToJson(BackendConfigFromJson(file.root(), file)));
  });
}
