// The graphs that are timed pass through the pipeline as they should, and its work grows
// with the number of nodes. Work is counted in allocations: they do not depend on the
// machine.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "bench/pipeline/bandwidth.h"
#include "bench/pipeline/graphs.h"
#include "reference/backends/backends.h"
#include "reference/convert/convert.h"
#include "reference/convert/node_reason.h"
#include "reference/observe/prepare.h"
#include "reference/qconfig/default_qconfig.h"

namespace {
std::atomic<int64_t> allocations = 0;
}

void* operator new(size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace qconform::bench {
namespace {

struct Stages {
  Prepared prepared;
  GraphModule converted;
  std::vector<NodeReason> reasons;

  explicit Stages(const GraphModule& model) {
    prepared = PrepareFx(model, GetDefaultQConfigMapping("x86"),
                         std::make_shared<BackendConfig>(BuiltInBackendConfig("x86")));
    converted = ConvertToReference(prepared);
    reasons = ExplainNodes(model, prepared);
  }
};

int64_t CountCalls(const GraphModule& module, const std::string& target) {
  int64_t count = 0;
  for (const Node& node : module.graph.nodes()) count += node.target() == target;
  return count;
}

// torch's prepare_fx and convert_to_reference_fx of torchvision's resnet50 say so.
TEST(ResNet50, HasTorchsNodesAtEveryStage) {
  const GraphModule model = ResNet50(WeightSize::kThin);
  EXPECT_EQ(model.graph.nodes().size(), 177u);
  const Stages stages(model);
  EXPECT_EQ(CountCalls(stages.converted, "torch.quantize_per_tensor"), 74);
  EXPECT_EQ(CountCalls(stages.converted, "torch.flatten"), 1);
  EXPECT_EQ(stages.converted.graph.nodes().size(), 387u);
}

int64_t AllocationsOf(GraphModule (*graphs)(int64_t), int64_t nodes) {
  const GraphModule model = graphs(nodes);
  const int64_t before = allocations;
  const Stages stages(model);
  EXPECT_EQ(stages.reasons.size(), model.graph.nodes().size());
  return allocations - before;
}

// From one size to the next the number of nodes doubles, and so does what each step adds:
// a list made for each node would make it four times as much. What allocates nothing is
// for the growth cases of the benchmark to show.
TEST(Stages, AllocationsGrowAsTheGraphDoes) {
  for (const auto graphs : {ResidualChain, ManyReaders}) {
    const int64_t one = AllocationsOf(graphs, 1000);
    const int64_t two = AllocationsOf(graphs, 2000);
    const int64_t four = AllocationsOf(graphs, 4000);
    EXPECT_GT(two - one, 1000);
    EXPECT_LT(four - two, 3 * (two - one));
  }
}

TEST(BandwidthMeter, FindsSome) {
  const BandwidthMeter meter(1);
  EXPECT_GT(meter.read(), 0);
  EXPECT_GT(meter.copy(), 0);
}

}  // namespace
}  // namespace qconform::bench
