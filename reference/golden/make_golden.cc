#include <algorithm>

#include "reference/formats/tensor_json.h"
#include "reference/golden/golden.h"
#include "reference/golden/qparams_json.h"
#include "reference/lower/float_results.h"
#include "reference/lower/lower.h"
#include "reference/lower/run_program.h"

namespace qconform {
namespace {

// safetensors has no quantized dtypes, which an output may keep: its codes.
Tensor PlainCodes(const Tensor& tensor) {
  const DType storage = StorageDType(tensor.dtype());
  if (storage == tensor.dtype()) return tensor;
  Tensor codes(storage, tensor.shape());
  std::copy_n(tensor.bytes(), codes.byte_size(), codes.bytes());
  return codes;
}

}  // namespace

Golden MakeGolden(GoldenSource source, GraphModule prepared, GraphModule reference,
                  const std::vector<Tensor>& samples,
                  const std::unordered_map<std::string, std::string>& patterns) {
  Golden golden;
  golden.manifest.tool = "qconform " QCONFORM_VERSION;
  const Registry& registry =
      source.mode == "strict" ? Registry::Saturating() : Registry::BuiltIn();
  golden.program = Lower(reference, samples, {source.config, patterns, &registry});
  const std::vector<Tensor> values = RunProgramValues(golden.program, samples);
  for (size_t i = 0; i < values.size(); ++i) {
    const ProgramValue& value = golden.program.values[i];
    if (!value.constant) golden.values.Set(value.name, values[i]);
  }
  golden.float_values =
      FloatResults(reference, golden.program, samples, values, registry);
  const std::vector<Tensor> outputs = RunGraph(reference, samples, registry);
  for (size_t i = 0; i < outputs.size(); ++i) {
    golden.float_values.Set("end." + std::to_string(i), PlainCodes(outputs[i]));
  }
  golden.qparams = QparamsToJson(prepared);
  golden.manifest.source = std::move(source);
  golden.prepared = std::move(prepared);
  golden.reference = std::move(reference);
  return golden;
}

}  // namespace qconform
