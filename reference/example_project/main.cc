// Quantizes a small graph for my_npu, stage by stage, with the backend's own functions
// and classes named in two JSON files, and checks what comes out.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "my_npu.h"
#include "reference/config/backend_config_json.h"
#include "reference/convert/convert.h"
#include "reference/golden/golden.h"
#include "reference/ir/error.h"
#include "reference/lower/lower.h"
#include "reference/observe/calibrate.h"
#include "reference/observe/prepare.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace {

using namespace qconform;

int failures = 0;

void Check(bool holds, const std::string& what) {
  std::printf("%s  %s\n", holds ? "ok    " : "FAILED", what.c_str());
  if (!holds) ++failures;
}

Tensor Floats(Shape shape, std::vector<float> values) {
  return Tensor::FromVector<float>(DType::kFloat32, std::move(shape), std::move(values));
}

std::shared_ptr<Module> NewModule(const std::string& type) {
  auto module = std::make_shared<Module>();
  module->type = type;
  return module;
}

// relu(conv(gate(x)) + gate(x)), x [N, 1, 2, 2].
GraphModule FloatModel() {
  const auto pair = [](int value) { return Argument::Tuple({value, value}); };
  const auto conv = NewModule("torch.nn.Conv2d");
  conv->attributes = {
      {"in_channels", 1},  {"out_channels", 1},       {"kernel_size", pair(1)},
      {"stride", pair(1)}, {"padding", pair(0)},      {"dilation", pair(1)},
      {"groups", 1},       {"padding_mode", "zeros"}, {"output_padding", pair(0)}};
  conv->parameters.Set("weight", Floats({1, 1, 1, 1}, {0.5}));
  conv->parameters.Set("bias", Floats({1}, {0.25}));
  const auto gate = NewModule("my_npu.Gate");
  gate->parameters.Set("weight", Floats({1}, {2}));
  GraphModule model;
  model.SetModule("gate", gate);
  model.SetModule("conv", conv);
  model.SetModule("relu", NewModule("torch.nn.ReLU"));
  Graph& graph = model.graph;
  Node* x = graph.Append(Op::kPlaceholder, "x");
  Node* gated = graph.Append(Op::kCallModule, "gate", {x});
  Node* y = graph.Append(Op::kCallModule, "conv", {gated});
  Node* sum = graph.Append(Op::kCallFunction, "operator.add", {y, gated});
  Node* out = graph.Append(Op::kCallModule, "relu", {sum});
  graph.Append(Op::kOutput, "output", {out});
  return model;
}

// "gate:my_npu.Gate", "quantize_per_tensor": one word a node.
std::string Outline(const GraphModule& model) {
  std::string text;
  for (const Node& node : model.graph.nodes()) {
    std::string word = node.target();
    if (node.op() == Op::kCallModule) word += ":" + model.FindModule(word)->type;
    if (node.op() == Op::kGetAttr) continue;
    text += (text.empty() ? "" : " ") + word.substr(word.rfind('/') + 1);
  }
  return text;
}

// The scale of the first quantize node.
double ScaleOfInput(const GraphModule& reference) {
  for (const Node& node : reference.graph.nodes()) {
    if (node.target() != "torch.quantize_per_tensor") continue;
    return reference.FindTensor(node.args()[1].AsNode()->target())->ValueAt(0);
  }
  return 0;
}

void Run(const std::string& config_file, const std::string& mapping_file) {
  Extension extension("my_npu");
  AddMyNpu(extension);
  const JsonFile config_json = JsonFile::Read(config_file);
  const auto config = std::make_shared<BackendConfig>(
      BackendConfigFromJson(config_json.root(), config_json));
  const JsonFile mapping_json = JsonFile::Read(mapping_file);
  const QConfigMapping mapping =
      QConfigMappingFromJson(mapping_json.root(), mapping_json);

  // Fuse, match, insert observers.
  Prepared prepared = PrepareFx(FloatModel(), mapping, config);
  std::printf("prepared   %s\n", Outline(prepared.module).c_str());
  Check(Outline(prepared.module) ==
            "x activation_post_process_0:my_npu.ClippedObserver gate:my_npu.Gate "
            "activation_post_process_1:my_npu.ClippedObserver conv:my_npu.ConvAddReLU "
            "activation_post_process_2:my_npu.ClippedObserver output",
        "the residual became one module, observed by the observer of the user");

  // Calibrate: 10 is clipped to the limit of mapping.json.
  const Tensor sample = Floats({1, 1, 2, 2}, {-1, 0.5, 1, 10});
  RunObserved(prepared.module, {sample});

  const GraphModule reference = ConvertToReference(prepared);
  std::printf("reference  %s\n", Outline(reference).c_str());
  Check(Outline(reference) ==
            "x torch.quantize_per_tensor dequantize gate:my_npu.reference.Gate "
            "torch.quantize_per_tensor dequantize conv:my_npu.ConvAddReLU "
            "torch.quantize_per_tensor dequantize output",
        "the module of the user has its reference form");
  Check(reference.FindModule("conv.0")->type == "torch.ao.nn.quantized.reference.Conv2d",
        "the convolution inside the fused module is a reference module");
  const float scale = 5.0F / 255;  // the range [-1, 4]
  Check(ScaleOfInput(reference) == scale,
        "the input's scale comes from the clipped range");

  // Lower and keep. What the ABI has no operator for is a float island.
  const Program program = Lower(reference, {sample}, {config->name(), {}});
  const LoweringSummary summary = Summarize(program);
  Check(summary.islands > 0 && summary.operators == 0,
        "the modules of the user are float islands of the program");
  GoldenSource source;
  source.model = "residual";
  source.config = config->name();
  AddFileDigest(source, "config", config_file);
  const std::filesystem::path folder = "golden";
  std::filesystem::remove_all(folder);
  WriteGolden(folder,
              MakeGolden(source, prepared.module.Clone(), reference.Clone(), {sample}));
  Check(VerifyGolden(folder).empty(), "the golden is whole");
}

// A mistyped name is one line with the nearest known one.
void RunWithTypingError() {
  Extension extension("my_npu");
  AddMyNpu(extension);
  BackendConfig config;
  BackendPatternConfig entry;
  entry.SetPatternComplexFormat(Pattern::Tuple(
      {Pattern::Module("torch.nn.ReLU"),
       Pattern::Tuple({Pattern::Function("operator.add"),
                       Pattern::Module("torch.nn.Conv2d"), Pattern::MatchAll()})}));
  entry.root_node_getter = "my_npu.conv_of_residual";
  entry.fuser_method = "my_npu.fuse_conv_ad_relu";
  config.Set(entry);
  std::string line;
  try {
    Fuse(FloatModel(), false, config);
  } catch (const InputError& error) {
    line = error.what();
  }
  std::printf("mistyped   %s\n", line.c_str());
  Check(line ==
            "fuser_method 'my_npu.fuse_conv_ad_relu': nobody registered it, expected a "
            "registered name; the nearest is 'my_npu.fuse_conv_add_relu'",
        "an unknown name is one line with the nearest known one");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s CONFIG.json MAPPING.json\n", argv[0]);
    return 4;
  }
  try {
    Run(argv[1], argv[2]);
    RunWithTypingError();
  } catch (const std::exception& error) {
    std::printf("FAILED  %s\n", error.what());
    return 1;
  }
  return failures == 0 ? 0 : 1;
}
