// The three custom configs; each reader ignores the keys of the others.
#include "reference/formats/fuzz_target.h"
#include "reference/formats/json_text.h"
#include "reference/observe/custom_config_json.h"

using namespace qconform;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  RewriteOrRefuse(data, size, [](std::string_view text) {
    const JsonFile file = JsonFile::Parse(text, "fuzz");
    return JsonText(
        PrepareCustomConfigToJson(PrepareCustomConfigFromJson(file.root(), file)));
  });
  RewriteOrRefuse(data, size, [](std::string_view text) {
    const JsonFile file = JsonFile::Parse(text, "fuzz");
    return JsonText(
        ConvertCustomConfigToJson(ConvertCustomConfigFromJson(file.root(), file)));
  });
  return RewriteOrRefuse(data, size, [](std::string_view text) {
    const JsonFile file = JsonFile::Parse(text, "fuzz");
    return JsonText(FuseCustomConfigToJson(FuseCustomConfigFromJson(file.root(), file)));
  });
}
