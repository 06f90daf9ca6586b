// The models that qconform ships, and folders of the same layout: a float graph with
// its calibration and evaluation data. model.json says where the data comes from:
//   {"name": TEXT, "graph": FILE, "calibration": SOURCE, "evaluation": SOURCE,
//    "fill": NAME,  optional: the graph has no tensors, see seeded_weights.h
//    "benchmark_shape": [N, ...], optional, with a fill: of the input that it is timed on
//    "metric": "top1" | "cents" | "none",  "none" needs no evaluation
//    "limits": {METRIC: NUMBER, "reason": TEXT}, optional: what quantizing may cost}
//   SOURCE: {"source": "file", "file": FILE}, a safetensors file: for calibration one
//           tensor a batch, for a graph with several inputs as calibration_batches.h
//           names them; for evaluation "images" and "labels" (int64), or
//           {"source": "tones", "seed": N, "count": N, "batch": N}, see tones.h, or
//           {"source": "fill", "shape": [N, ...], "count": N}: so many input batches of
//           the fill, for calibration; these two are for graphs with one input
#ifndef QCONFORM_DATASETS_CATALOGUE_H_
#define QCONFORM_DATASETS_CATALOGUE_H_

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "datasets/calibration_batches.h"
#include "reference/ir/module.h"
#include "reference/ir/tensor.h"

namespace qconform {

enum class MetricKind { kNone, kTopOne, kCents };

struct EvaluationData {
  MetricKind metric = MetricKind::kNone;
  // By the name of a Metric (metrics.h): the largest value that is as expected.
  std::vector<std::pair<std::string, double>> limits;
  Tensor inputs;                    // float32, first dimension is the batch
  Tensor labels;                    // int64 [N], for kTopOne
  std::vector<double> frequencies;  // Hz, one a row, for kCents
};

struct Model {
  std::string name;
  std::filesystem::path folder;
  std::filesystem::path graph_file;  // the *.graph.json
  GraphModule graph;
  std::string fill;  // that its weights are from; empty if it has its own
  // One tensor a graph input, to be timed on: of benchmark_shape, or else the first row
  // of the first calibration batch.
  std::vector<Tensor> benchmark_inputs;
  CalibrationBatches calibration;
  EvaluationData evaluation;
};

// Reads a model folder. Throws InputError on a malformed one.
Model ReadModel(const std::filesystem::path& folder);

}  // namespace qconform

#endif  // QCONFORM_DATASETS_CATALOGUE_H_
