#include "reference/formats/fuzz_target.h"
#include "reference/formats/onnx_model.h"

// The first byte chooses: a tensor, or a model, which can be written again.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  if (data[0] == 't') {
    return qconform::ReadOrRefuse(data + 1, size - 1, [](std::string_view bytes) {
      qconform::ParseOnnxTensor(bytes, "fuzz");
    });
  }
  return qconform::RewriteOrRefuse(data + 1, size - 1, [](std::string_view bytes) {
    return qconform::OnnxModelBytes(qconform::ParseOnnxModel(bytes, "fuzz"));
  });
}
