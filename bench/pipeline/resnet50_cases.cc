#include <memory>

#include "bench/pipeline/graphs.h"
#include "bench/pipeline/pipeline_case.h"
#include "reference/backends/backends.h"
#include "reference/convert/convert.h"
#include "reference/observe/prepare.h"
#include "reference/ops/weight_quantization.h"
#include "reference/qconfig/default_qconfig.h"

namespace qconform::bench {
namespace {

// What both stages read and make.
struct Passage {
  GraphModule model;
  std::shared_ptr<const BackendConfig> config =
      std::make_shared<BackendConfig>(BuiltInBackendConfig("x86"));
  QConfigMapping mapping = GetDefaultQConfigMapping("x86");
  Prepared prepared;
  GraphModule converted;
  int64_t weights = 0;

  explicit Passage(WeightSize size) : model(ResNet50(size)) { Prepare(); }
  void Prepare() { prepared = PrepareFx(model, mapping, config); }
  void Convert() { converted = ConvertToReference(prepared); }

  // The integers of every reference module, as lowering and goldens take them.
  void QuantizeWeights() {
    weights = 0;
    for (const Node& node : converted.graph.nodes()) {
      if (node.op() != Op::kCallModule) continue;
      const Module* module = converted.ModuleAt(node.target());
      if (const auto* first = module->children.Find("0")) module = first->get();
      if (!module->buffers.Contains("weight_scale")) continue;
      weights += QuantizedWeight(*module, "weight", Call(node.name(), {})).numel();
    }
  }

  int64_t Count(Op op, const std::string& part) const {
    int64_t count = 0;
    for (const Node& node : converted.graph.nodes()) {
      count += node.op() == op && node.target().find(part) != std::string::npos ? 1 : 0;
    }
    return count;
  }

  // torch's converted resnet50 has as many.
  std::string Wrong() const {
    const int64_t quantizes = Count(Op::kCallFunction, "quantize_per_tensor");
    if (quantizes == 74) return "";
    return std::to_string(quantizes) + " values are quantized, expected 74";
  }
};

}  // namespace

std::vector<PipelineCase> ResNet50Cases() {
  constexpr double kFasterThanTorch = 300;
  std::vector<PipelineCase> cases;
  const auto thin = std::make_shared<Passage>(WeightSize::kThin);
  const auto full = std::make_shared<Passage>(WeightSize::kFull);
  PipelineCase prepare;
  prepare.name = "resnet50/structure/prepare";
  prepare.run = [thin] { thin->Prepare(); };
  prepare.wrong = [thin] {
    thin->Convert();
    return thin->Wrong();
  };
  prepare.runs = 200;
  prepare.aim_speedup = kFasterThanTorch;
  cases.push_back(prepare);
  PipelineCase convert;
  convert.name = "resnet50/structure/convert";
  convert.run = [thin] { thin->Convert(); };
  convert.wrong = [thin] { return thin->Wrong(); };
  convert.runs = 200;
  convert.aim_speedup = kFasterThanTorch;
  cases.push_back(convert);

  // The convolutions' weights are multiplied by their batch norm, which writes new ones;
  // each weight is then read by its observer, and read and written as int8.
  full->Convert();
  full->QuantizeWeights();
  const auto weights = static_cast<double>(full->weights);
  const double folded = weights - 2048 * 1000;
  PipelineCase whole;
  whole.name = "resnet50/whole";
  whole.run = [full] {
    full->Prepare();
    full->Convert();
    full->QuantizeWeights();
  };
  whole.wrong = [full] { return full->Wrong(); };
  whole.read_bytes = 4 * weights;
  whole.copied_bytes = (4 + 4) * folded + (4 + 1) * weights;
  whole.aim_share = 0.5;
  cases.push_back(whole);
  return cases;
}

}  // namespace qconform::bench
