#include "bench/model/bench_model.h"

#include <utility>

#include "datasets/catalogue.h"
#include "reference/golden/quantize_model.h"
#include "reference/lower/lower.h"

namespace qconform::bench {

BenchModel MakeBenchModel(const std::filesystem::path& folder,
                          const std::string& config) {
  Model model = ReadModel(folder);
  const QuantizedModel quantized =
      QuantizeModel(model.graph, BuiltInSettings(config), model.calibration);
  LowerOptions options;
  options.config = config;
  BenchModel made;
  made.name = model.name;
  made.inputs = std::move(model.benchmark_inputs);
  made.program = Lower(quantized.reference, made.inputs, options);
  return made;
}

}  // namespace qconform::bench
