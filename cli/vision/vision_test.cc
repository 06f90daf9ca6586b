// The pipeline on torchvision's networks, node for node what torch made of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "cli/vision/graph_lines.h"
#include "cli/vision/torch_record.h"
#include "datasets/catalogue.h"
#include "datasets/seeded_weights.h"
#include "reference/backends/backends.h"
#include "reference/convert/convert.h"
#include "reference/fuse/fuse.h"
#include "reference/native/lower_to_native.h"
#include "reference/observe/calibrate.h"
#include "reference/observe/dropout_off.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/prepare.h"
#include "reference/observe/used_modules.h"
#include "reference/qconfig/default_qconfig.h"

namespace qconform::vision {
namespace {

namespace fs = std::filesystem;

const fs::path kVision = fs::path(QCONFORM_SOURCE_DIR) / "datasets/vision";
constexpr char kFill[] = "kaiming.1";
const Shape kInput = {2, 3, 64, 64};
constexpr int64_t kBatches = 2;
// Two ranges of one of its histograms cost almost the same; the last bits decide.
constexpr char kAnotherMinimum[] = "googlenet";

// Says where two texts part.
void ExpectLines(const Lines& got, const Lines& want, const std::string& title) {
  const size_t count = std::min(got.size(), want.size());
  size_t different = 0;
  for (size_t i = 0; i < count; ++i) {
    if (got[i] == want[i]) continue;
    if (++different <= 3) {
      ADD_FAILURE() << title << ", line " << i << "\n got:  " << got[i]
                    << "\n want: " << want[i];
    }
  }
  EXPECT_EQ(different, 0u) << title << ": so many of " << count << " lines differ";
  EXPECT_EQ(got.size(), want.size()) << title << ": number of lines";
}

// Torch's record was made with dropout switched off, of which the nodes say nothing.
GraphModule WithoutDropout(const GraphModule& module) {
  GraphModule copy;
  module.graph.CopyTo(copy.graph);
  copy.root = module.root;
  SwitchDropoutOff(copy);
  return copy;
}

// One model, config and mode.
class Variant {
 public:
  Variant(const std::string& model, const std::string& config, bool is_qat)
      : folder_(kVision / model), config_(config), is_qat_(is_qat) {}

  void Compare() {
    const TorchRecord record(folder_ / "torch.txt");
    const auto section = [&](const std::string& name) {
      return (is_qat_ ? "qat." : "static.") + config_ + "." + name;
    };
    const auto expect = [&](const std::string& name, const Lines& got) {
      ExpectLines(got, record.Section(section(name)), section(name));
    };
    const GraphModule graph = ReadFloatGraph();
    const auto backend = std::make_shared<BackendConfig>(BuiltInBackendConfig(config_));

    const GraphModule fused = Fuse(graph, is_qat_, *backend);
    expect("fused.graph", GraphLines(fused.graph));
    expect("fused.modules", ModuleLines(fused));

    PrepareOptions options;
    options.is_qat = is_qat_;
    Prepared prepared = PrepareFx(graph, Mapping(), backend, options);
    expect("matches", MatchLines(prepared));
    expect("prepared.graph", GraphLines(prepared.module.graph));
    Calibrate(prepared);
    expect("prepared.modules", ModuleLines(prepared.module));
    const ObserverLines observers = LinesOfObservers(prepared.module);
    expect("observers", observers.nodes);
    expect("observed", observers.observers);
    if (!is_qat_) {
      CompareFree(prepared.module, observers.observers, record.Section(section("free")));
    }

    ConvertOptions convert;
    convert.engine = config_;
    const GraphModule lowered = ConvertToNative(prepared, convert);
    expect("lowered.graph", GraphLines(lowered.graph));
    expect("lowered.modules", LoweredModuleLines(lowered));
    const GraphModule reference = ConvertToReference(prepared, convert);
    expect("reference.graph", GraphLines(reference.graph));
    expect("reference.modules", ModuleLines(reference));
    expect("reference.attributes", AttributeLines(reference));
    convert.is_decomposed = true;
    const GraphModule decomposed = ConvertToReference(prepared, convert);
    const DecomposedLines lines = LinesOfDecomposed(decomposed.graph);
    expect("decomposed.graph", lines.graph);
    expect("decomposed.qparams", lines.qparams);
    expect("decomposed.modules", ModuleLines(decomposed));

    const GraphModule running = WithoutDropout(reference);
    Interpreter interpreter(running, Operators());
    const Value output = interpreter.Run({Value(SeededInput(kFill, kBatches, kInput))});
    expect("output", OutputLines(output));
  }

 private:
  GraphModule ReadFloatGraph() const {
    const fs::path train = folder_ / "train.graph.json";
    GraphModule graph = ReadSeededGraph(
        is_qat_ && fs::exists(train) ? train : folder_ / "float.graph.json", kFill);
    SetTraining(*graph.root, is_qat_);
    return graph;
  }

  QConfigMapping Mapping() const {
    return is_qat_ ? GetDefaultQatQConfigMapping(config_)
                   : GetDefaultQConfigMapping(config_);
  }

  static const Registry& Operators() {
    static const auto* registry = [] {
      auto* made = new Registry(Registry::BuiltIn());
      made->AddFunction(
          "torchvision.models.googlenet.GoogLeNetOutputs", [](const Call& call) {
            return Value::Tuple({call.Get(0, "logits"), call.Get(1, "aux_logits2"),
                                 call.Get(2, "aux_logits1")});
          });
      return made;
    }();
    return *registry;
  }

  void Calibrate(Prepared& prepared) const {
    SetTraining(*prepared.module.root, is_qat_);
    const GraphModule running = WithoutDropout(prepared.module);
    for (int64_t batch = 0; batch < kBatches; ++batch) {
      Interpreter interpreter(running, Operators());
      interpreter.set_module_hook(CallObserved);
      interpreter.Run({Value(SeededInput(kFill, batch, kInput))});
    }
    SetTraining(*prepared.module.root, false);
  }

  // Torch with its own sums against ours. To first order a weighted layer of n products a
  // sum adds 2 gamma(n + 1) of its range, gamma(n) = n u / (1 - n u), u = 2^-24, to what
  // its input is off by, and passes that on with gain one: so the fill was made. The
  // clipped range of a histogram may move by one bin more; where the search lands in
  // another minimum, the scale is printed and not compared.
  void CompareFree(const GraphModule& module, const Lines& ours, const Lines& torch) {
    ASSERT_EQ(ours.size(), torch.size());
    const std::vector<double> bounds = RangeBounds(module);
    ASSERT_EQ(ours.size(), bounds.size());
    double furthest = 0;
    double closest = 0;
    int elsewhere = 0;
    for (size_t i = 0; i < ours.size(); ++i) {
      if (torch[i].find("max_val=") == std::string::npos) continue;
      const double low = Number(ours[i], " min_val=");
      const double high = Number(ours[i], " max_val=");
      const double apart = std::max(std::fabs(low - Number(torch[i], " min_val=")),
                                    std::fabs(high - Number(torch[i], " max_val=")));
      EXPECT_LE(apart, bounds[i] * (high - low)) << ours[i] << "\n" << torch[i];
      furthest = std::max(furthest, apart / (high - low));
      if (bounds[i] > 0) closest = std::max(closest, apart / (high - low) / bounds[i]);
      const double scale = Number(ours[i], " qparams=");
      const double step = (bounds[i] + 1.0 / 2048) * (high - low) / CodesOf(ours[i]);
      if (std::fabs(scale - Number(torch[i], " qparams=")) > 2 * step) {
        EXPECT_NE(ours[i].find("HistogramObserver"), std::string::npos) << ours[i];
        fmt::print("another minimum:\n  ours  {}\n  torch {}\n", ours[i], torch[i]);
        ++elsewhere;
      } else {
        EXPECT_EQ(Number(ours[i], ",int32"), Number(torch[i], ",int32")) << ours[i];
      }
    }
    EXPECT_EQ(elsewhere, folder_.filename() == kAnotherMinimum ? 1 : 0);
    fmt::print(
        "free: {} observers, ranges at most {:.2g} of themselves apart, {:.2g} of the "
        "bound; {} scales from another minimum\n",
        ours.size(), furthest, closest, elsewhere);
  }

  // The number after the next '=' behind `name`.
  static double Number(const std::string& line, const std::string& name) {
    const size_t at = line.find(name);
    EXPECT_NE(at, std::string::npos) << name << " in " << line;
    const size_t equals = line.find('=', at + name.size());
    return std::strtod(line.c_str() + equals + 1, nullptr);
  }

  static double CodesOf(const std::string& line) {
    const std::string name = " quant_max=";
    return std::strtod(line.c_str() + line.find(name) + name.size(), nullptr);
  }

  // Of each observer in order of first use, in parts of its range.
  static std::vector<double> RangeBounds(const GraphModule& module) {
    std::unordered_map<const Node*, double> bounds;
    std::unordered_map<const Module*, size_t> numbers;
    std::vector<double> result;
    for (const Node& node : module.graph.nodes()) {
      double& bound = bounds[&node];
      for (const Node* input : node.InputNodes()) {
        bound = std::max(bound, bounds[input]);
      }
      if (node.op() != Op::kCallModule) continue;
      const std::shared_ptr<Module> called = module.FindModule(node.target());
      if (ObserverOf(called)) {
        const auto [at, is_new] = numbers.emplace(called.get(), result.size());
        if (is_new) result.push_back(0);
        result[at->second] = std::max(result[at->second], bound);
        continue;
      }
      const auto* first = called->children.Find("0");
      const Tensor* weight = (first != nullptr ? **first : *called).FindTensor("weight");
      if (weight == nullptr || weight->rank() < 2) continue;
      const double n =
          static_cast<double>(weight->numel() / weight->dim(0) + 1) * 0x1p-24;
      bound += 2 * n / (1 - n);
    }
    return result;
  }

  static Lines OutputLines(const Value& output) {
    if (const Tensor* tensor = output.As<Tensor>()) return {TensorText(*tensor)};
    Lines lines;
    if (const auto* sequence = output.As<ValueSequence>()) {
      for (const Value& item : sequence->items) {
        const Tensor* tensor = item.As<Tensor>();
        lines.push_back(tensor == nullptr ? "no tensor" : TensorText(*tensor));
      }
    }
    return lines;
  }

  fs::path folder_;
  std::string config_;
  bool is_qat_;
};

class Vision : public testing::TestWithParam<const char*> {};

TEST_P(Vision, StaticX86) { Variant(GetParam(), "x86", false).Compare(); }
TEST_P(Vision, StaticQnnpack) { Variant(GetParam(), "qnnpack", false).Compare(); }
TEST_P(Vision, QatX86) { Variant(GetParam(), "x86", true).Compare(); }
TEST_P(Vision, QatQnnpack) { Variant(GetParam(), "qnnpack", true).Compare(); }

INSTANTIATE_TEST_SUITE_P(Models, Vision,
                         testing::Values("resnet18", "resnet50", "mobilenet_v2",
                                         "mobilenet_v3_small", "shufflenet_v2_x1_0",
                                         "densenet121", "googlenet", "efficientnet_b0"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace qconform::vision
