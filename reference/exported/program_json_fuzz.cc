// The program inside an archive, whose checksum keeps damage from the other target's
// reader; the tensors are those of testdata/tied.pt2 and testdata/sizes.pt2.
#include "reference/exported/program_json.h"
#include "reference/formats/fuzz_target.h"

using namespace qconform;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const ProgramTensors tensors = [] {
    ProgramTensors made;
    for (const char* name : {"first.weight", "second.weight"}) {
      made.weights.Set(name, Tensor(DType::kFloat32, {4, 4}));
    }
    for (const char* name : {"first.bias", "second.bias"}) {
      made.weights.Set(name, Tensor(DType::kFloat32, {4}));
    }
    made.weights.Set("fc.weight", Tensor(DType::kFloat32, {3, 6}));
    made.weights.Set("fc.bias", Tensor(DType::kFloat32, {3}));
    return made;
  }();
  return ReadOrRefuse(data, size, [](std::string_view text) {
    ExportedProgramFromJson(JsonFile::Parse(text, "fuzz"), tensors, true);
  });
}
