#include "bench/pipeline/growth.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <memory>
#include <string>

#include "bench/pipeline/graphs.h"
#include "bench/record.h"
#include "reference/backends/backends.h"
#include "reference/convert/convert.h"
#include "reference/convert/node_reason.h"
#include "reference/observe/prepare.h"
#include "reference/qconfig/default_qconfig.h"

namespace qconform::bench {
namespace {

using Graphs = GraphModule (*)(int64_t nodes);

struct Inputs {
  GraphModule model;
  std::shared_ptr<const BackendConfig> config =
      std::make_shared<BackendConfig>(BuiltInBackendConfig("x86"));
  QConfigMapping mapping = GetDefaultQConfigMapping("x86");

  Prepared Prepare() const { return PrepareFx(model, mapping, config); }
};

// What a stage makes is thrown away inside its time: it belongs to the cost of a graph.
template <typename Stage>
void Register(const char* shape, Graphs graphs, const char* name, const Stage& stage) {
  benchmark::RegisterBenchmark(
      fmt::format("growth/{}/{}", shape, name).c_str(),
      [graphs, stage](benchmark::State& state) {
        const Inputs inputs{graphs(state.range(0))};
        const auto nodes = static_cast<int64_t>(inputs.model.graph.nodes().size());
        const Prepared prepared = inputs.Prepare();
        for (auto _ : state) stage(inputs, prepared);
        state.SetComplexityN(nodes);
        state.counters[kSecondsPerNode] = benchmark::Counter(
            static_cast<double>(nodes),
            benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
      })
      ->Arg(1'000)
      ->Arg(10'000)
      ->Arg(100'000)
      ->MinTime(0.01)
      ->Unit(benchmark::kMillisecond)
      ->Complexity(benchmark::oN);
}

}  // namespace

void RegisterGrowth() {
  const std::pair<const char*, Graphs> shapes[] = {{"residual_chain", ResidualChain},
                                                   {"many_readers", ManyReaders}};
  for (const auto& [shape, graphs] : shapes) {
    Register(shape, graphs, "fuse", [](const Inputs& inputs, const Prepared&) {
      benchmark::DoNotOptimize(Fuse(inputs.model, false, *inputs.config));
    });
    Register(shape, graphs, "prepare", [](const Inputs& inputs, const Prepared&) {
      benchmark::DoNotOptimize(inputs.Prepare());
    });
    Register(shape, graphs, "convert", [](const Inputs&, const Prepared& prepared) {
      benchmark::DoNotOptimize(ConvertToReference(prepared));
    });
    Register(shape, graphs, "explain",
             [](const Inputs& inputs, const Prepared& prepared) {
               benchmark::DoNotOptimize(ExplainNodes(inputs.model, prepared));
             });
  }
}

}  // namespace qconform::bench
