// A model of the catalogue as the program that is timed.
#ifndef QCONFORM_BENCH_MODEL_BENCH_MODEL_H_
#define QCONFORM_BENCH_MODEL_BENCH_MODEL_H_

#include <filesystem>
#include <string>
#include <vector>

#include "reference/ir/tensor.h"
#include "reference/lower/program.h"

namespace qconform::bench {

struct BenchModel {
  std::string name;
  Program program;
  std::vector<Tensor> inputs;  // the program's
};

// Reads a model folder (datasets/catalogue.h), quantizes the graph with our own pipeline
// for a built-in config with its default mapping, and lowers it for the benchmark's
// inputs. Throws InputError, PipelineError.
BenchModel MakeBenchModel(const std::filesystem::path& folder, const std::string& config);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_MODEL_BENCH_MODEL_H_
