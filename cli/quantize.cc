#include "cli/quantize.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/exit_code.h"
#include "cli/model_source.h"
#include "cli/quantize_outputs.h"
#include "datasets/metrics.h"
#include "reference/explain/model_explanation.h"
#include "reference/formats/graph_json.h"
#include "reference/formats/sha256.h"
#include "reference/formats/write_file.h"
#include "reference/ir/error.h"
#include "reference/ir/rows.h"
#include "reference/lower/lower.h"
#include "reference/lower/run_program.h"
#include "reference/native/lower_to_native.h"
#include "reference/ops/interpreter.h"
#include "reports/quantization_summary.h"

namespace qconform {
namespace {

struct QuantizeOptions {
  ModelSource source;
  std::string out;
  std::string summary;
  std::string native;
  bool decomposed = false;
  bool quiet = false;
  uint64_t max_tensor_bytes = 0;
};

// The node counts and reasons of a summary.
void CountNodes(const QuantizedModel& model, QuantizationSummary& summary) {
  for (const NodeReason& reason : model.reasons) {
    if (reason.fate == NodeFate::kNoValue) continue;
    ++summary.nodes;
    if (!reason.pattern.empty()) ++summary.matched;
    if (reason.fate == NodeFate::kFused) ++summary.fused;
    if (reason.fate == NodeFate::kQuantized) ++summary.quantized;
    if (reason.fate == NodeFate::kFloat) {
      summary.left_in_float.push_back(
          {reason.node, reason.target, reason.constraint, reason.text});
    }
  }
}

void AddMetrics(const char* of, const std::vector<Metric>& metrics,
                QuantizationSummary& summary) {
  for (const Metric& metric : metrics) {
    summary.metrics.push_back({of, metric.name, metric.value, metric.unit});
  }
}

// The float model over all rows of the evaluation data, in pieces that fit memory.
Tensor RunFloat(const GraphModule& graph, const Tensor& inputs) {
  constexpr int64_t kRowsAtOnce = 64;
  std::vector<Tensor> pieces;
  for (int64_t row = 0; row < inputs.dim(0); row += kRowsAtOnce) {
    const Tensor piece = Rows(inputs, row, std::min(row + kRowsAtOnce, inputs.dim(0)));
    Interpreter interpreter(graph);
    const Value output = interpreter.Run({Value(piece)});
    const Tensor* tensor = output.As<Tensor>();
    if (tensor == nullptr) {
      throw InputError("evaluation", "the model's output is " + ValueText(output),
                       "one tensor");
    }
    pieces.push_back(*tensor);
  }
  Shape shape = pieces.at(0).shape();
  shape[0] = inputs.dim(0);
  Tensor outputs(DType::kFloat32, shape);
  float* to = outputs.data<float>();
  for (const Tensor& piece : pieces) {
    to = std::copy_n(piece.data<float>(), piece.numel(), to);
  }
  return outputs;
}

void Evaluate(const Model& model, const Program& program, QuantizationSummary& summary) {
  if (model.evaluation.metric == MetricKind::kNone) return;
  const Tensor& inputs = model.evaluation.inputs;
  const Tensor float_outputs = RunFloat(model.graph, inputs);
  const Tensor int8_outputs = RunProgramOverRows(program, inputs);
  AddMetrics("float", MeasureAgainstTruth(model.evaluation, float_outputs), summary);
  AddMetrics("int8", MeasureAgainstTruth(model.evaluation, int8_outputs), summary);
  AddMetrics("int8 against float",
             MeasureAgainstFloat(model.evaluation, int8_outputs, float_outputs), summary);
}

void Print(const QuantizationSummary& summary) {
  fmt::print("{} for {} (mode {})\n", summary.model, summary.config, summary.mode);
  fmt::print(
      "  nodes    {} compute a tensor: {} matched, {} fused, {} quantized, {} left "
      "in float\n",
      summary.nodes, summary.matched, summary.fused, summary.quantized,
      summary.left_in_float.size());
  if (summary.quantized == 0) {
    fmt::print(
        "  nothing  was quantized: the int8 figures below are the float model's\n");
  }
  for (const FloatNodeSummary& node : summary.left_in_float) {
    fmt::print("  float    {}: {}\n", node.node, node.reason);
  }
  for (const std::string& setting : summary.unused_settings) {
    fmt::print("  unused   {}\n", setting);
  }
  for (const std::string& difference : summary.data_differences) {
    fmt::print("  differs  {}\n", difference);
  }
  if (!summary.mode_differences.empty()) {
    fmt::print(
        "  modes    {} place{} where torch and what it declares differ; explain lists "
        "them\n",
        summary.mode_differences.size(), summary.mode_differences.size() == 1 ? "" : "s");
  }
  fmt::print("  program  {} operators, {} conversions, {} float islands\n",
             summary.operators, summary.conversions, summary.float_islands);
  for (const MetricSummary& metric : summary.metrics) {
    fmt::print("  {:<18} {:<28} {:.2f} {}\n", metric.of, metric.name, metric.value,
               metric.unit);
  }
  fmt::print("  golden   {}  sha256 {}\n", summary.golden, summary.golden_digest);
}

// Says which metrics lie beyond the limits of model.json; true if none does.
bool WithinLimits(const Model& model, const QuantizationSummary& summary) {
  bool within = true;
  for (const auto& [name, limit] : model.evaluation.limits) {
    for (const MetricSummary& metric : summary.metrics) {
      if (metric.name != name || metric.value <= limit) continue;
      fmt::print("  beyond   the limit of {}: {} {} is {:.2f}\n", limit, metric.of, name,
                 metric.value);
      within = false;
    }
  }
  return within;
}

// What the options ask for beside the golden's folder, a kind of graph a file.
std::vector<std::string> KindsBeside(const QuantizeOptions& options) {
  std::vector<std::string> kinds;
  if (!options.native.empty()) kinds.push_back(options.native);
  if (options.decomposed) kinds.push_back("decomposed");
  return kinds;
}

GraphModule ConvertTo(const std::string& kind, const QuantizationSettings& settings,
                      const Prepared& prepared) {
  ConvertOptions convert = ConvertOptionsOf(settings);
  if (kind == "decomposed") {
    convert.is_decomposed = true;
    return ConvertToReference(prepared, convert);
  }
  convert.engine = kind;
  return ConvertToNative(prepared, convert);
}

// Settings of one's own that took effect nowhere.
std::vector<std::string> UnusedOwnSettings(const QuantizeOptions& options,
                                           const QuantizationSettings& settings,
                                           const Model& model,
                                           const QuantizedModel& quantized) {
  std::vector<std::string> lines;
  // A default mapping names every kind of operator: that most are absent says nothing.
  if (!options.source.mapping.empty() && !IsNamedMapping(options.source.mapping)) {
    lines = quantized.unused_settings;
  }
  if (options.source.prepare_custom_config.empty() &&
      options.source.convert_custom_config.empty()) {
    return lines;
  }
  const ModelExplanation explanation =
      ExplainModel(model.graph, quantized.prepared, settings.convert_custom_config);
  for (const UnusedSetting& unused : explanation.unused) {
    if (unused.kind != "custom setting") continue;
    lines.push_back(unused.setting +
                    (unused.inside.empty() ? "" : " inside " + unused.inside) +
                    " took effect nowhere: " + unused.why);
  }
  return lines;
}

// Data are float: of an input that is quantized already they do not say the scale.
void NoteQuantizedInputs(const QuantizationSettings& settings) {
  if (settings.prepare_custom_config.input_quantized_indexes.empty()) return;
  fmt::print(stderr,
             "note: input_quantized_idxs: the data are float and tell no scale of a "
             "quantized input, so in the golden what reads one runs in float\n");
}

int Quantize(const QuantizeOptions& options) {
  const auto say = [&](const std::string& line) {
    if (!options.quiet) fmt::print("{}\n", line);
    std::fflush(stdout);
  };
  const std::vector<std::string> kinds = KindsBeside(options);
  RequireOutputs({options.out, kinds, options.summary}, options.source);
  const Model model = LoadModel(options.source);
  RequireCalibration(model);
  const QuantizationSettings settings = LoadSettings(options.source);
  NoteQuantizedInputs(settings);
  QuantizedModel quantized = QuantizeModel(
      model.graph, settings, model.calibration, [&](size_t batch, size_t count) {
        say(fmt::format("calibrating, batch {} of {}", batch + 1, count));
      });
  QuantizationSummary summary;
  summary.model = model.name;
  summary.config = settings.backend_config->name();
  summary.mode = settings.mode == Mode::kTorch ? "torch" : "strict";
  CountNodes(quantized, summary);
  for (const ModeDifference& difference : quantized.differences) {
    summary.mode_differences.push_back(ToText(difference));
  }
  for (const ModeDifference& difference : quantized.data_differences) {
    summary.data_differences.push_back(ToText(difference));
  }
  summary.unused_settings = UnusedOwnSettings(options, settings, model, quantized);
  std::vector<std::pair<std::string, GraphModule>> graphs;
  for (const std::string& kind : kinds) {
    graphs.emplace_back(kind, ConvertTo(kind, settings, quantized.prepared));
  }
  say("converting, lowering and running the golden's sample");
  const Golden golden = MakeGoldenOf(model, settings, std::move(quantized));
  const LoweringSummary lowering = Summarize(golden.program);
  summary.operators = lowering.operators;
  summary.conversions = lowering.conversions;
  summary.float_islands = lowering.islands;
  if (!options.quiet) {
    say("evaluating float and int8");
    Evaluate(model, golden.program, summary);
  }
  // Nothing is refused from here on.
  for (const auto& [kind, graph] : graphs) {
    const std::string file = GraphBeside(options.out, kind);
    WriteGraphFile(file, graph);
    say((kind == "decomposed" ? "decomposed reference" : "lowered to " + kind) + ": " +
        file);
  }
  WriteGolden(options.out, golden, options.max_tensor_bytes);
  summary.golden = options.out;
  summary.golden_digest =
      Sha256HexOfFile(std::filesystem::path(options.out) / "manifest.json");
  if (!options.summary.empty()) {
    WriteFileAtomically(options.summary, nlohmann::json(summary).dump(1) + "\n");
  }
  int exit_code = kExitAsExpected;
  if (!options.quiet) {
    Print(summary);
    if (!WithinLimits(model, summary)) exit_code = kExitCaseFailed;
  }
  return exit_code;
}

}  // namespace

void AddQuantizeVerb(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<QuantizeOptions>();
  CLI::App* verb = app.add_subcommand(
      "quantize", "Quantize a float model for a backend config and write its golden");
  AddModelOptions(*verb, options->source);
  verb->add_option("-o,--out", options->out, "folder of the golden")->required();
  verb->add_option("--native", options->native,
                   "also write the graph of torch's quantized operators for this engine "
                   "(fbgemm, x86, qnnpack, onednn), beside the folder")
      ->check(CLI::IsMember({"fbgemm", "x86", "qnnpack", "onednn"}));
  verb->add_flag("--decomposed", options->decomposed,
                 "also write the reference graph of quantized_decomposed operators over "
                 "plain integer tensors, beside the folder as OUT.decomposed.graph.json");
  verb->add_option("--summary", options->summary,
                   "also write the counts, reasons and accuracy as JSON");
  verb->add_option("--leave-out-above", options->max_tensor_bytes,
                   "leave out tensor files of more bytes; they can be made again");
  verb->add_flag("--quiet", options->quiet,
                 "write the golden, evaluate and print nothing");
  verb->footer(
      "Exit code: 0 the golden is written and within the limits of model.json, 1 it is "
      "written and beyond one of them, 3 our own error, 4 bad input, or a model that the "
      "pipeline refuses as torch does; then nothing is written.");
  verb->callback([options, &exit_code] { exit_code = Quantize(*options); });
}

}  // namespace qconform
