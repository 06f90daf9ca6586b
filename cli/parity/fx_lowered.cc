// The comparison of graphs lowered to the native engines.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/parity/error_bound.h"
#include "cli/parity/fx_stages.h"
#include "cli/parity/native_record.h"
#include "cli/parity/observer_state.h"
#include "cli/parity/record_json.h"
#include "reference/ir/error.h"
#include "reference/native/lower_to_native.h"
#include "reference/native/packed_weights.h"
#include "reference/native_operators/native_registry.h"
#include "reference/ops/interpreter.h"

namespace qconform::parity {
namespace {

std::optional<Difference> CompareStructure(const GraphModule& lowered,
                                           const ordered_json& want) {
  if (auto difference =
          FirstDifference(GraphToRecord(lowered.graph), want.at("graph"), "graph")) {
    return difference;
  }
  const ordered_json modules =
      want.contains("modules") ? want.at("modules") : ordered_json::object();
  if (auto difference = FirstDifference(NativeModulesToRecord(lowered, modules),
                                        NormalizedModules(modules), "modules")) {
    return difference;
  }
  return FirstDifference(
      NativeAttributesToRecord(lowered),
      want.contains("attrs") ? want.at("attrs") : ordered_json::object(), "attrs");
}

// The step of a static per tensor quantize node; 0 for other nodes.
double StepOf(const Node& node, const GraphModule& module) {
  if (node.op() != Op::kCallFunction || node.target() != "torch.quantize_per_tensor") {
    return 0;
  }
  const Node* scale = node.args().at(1).AsNode();
  const Tensor* tensor = scale == nullptr ? nullptr : module.FindTensor(scale->target());
  return tensor != nullptr && tensor->numel() == 1 ? tensor->ValueAt(0) : 0;
}

// What an engine may make of a value that is known up to `error` and then quantized: a
// whole number of steps, none where no tie between two codes is in reach. Beside `error`
// an engine rounds multiplier, product and sum (a relative 2^-21 of the steps) and
// qnnpack its bias to a whole accumulator step; `bias_step` is that step's half.
Tensor QuantizeError(const Tensor& x, const Tensor* error, double step,
                     double bias_step) {
  Tensor result(DType::kFloat32, x.shape());
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double steps = x.ValueAt(i) / step;
    const double own = error == nullptr ? 0 : error->ValueAt(i);
    const double reach = (own + bias_step) / step + 0x1p-21 * std::fabs(steps);
    const double low = std::rint(steps - reach);
    const double high = std::rint(steps + reach);
    const double at = std::rint(steps);
    result.data<float>()[i] =
        static_cast<float>(std::max(high - at, at - low) * step * (1 + 0x1p-22));
  }
  return result;
}

// Two codes that differ are dequantized with a rounding each.
Value DequantizeError(const Value& value, const Value& error) {
  const Tensor* x = value.As<Tensor>();
  const Tensor* codes = error.As<Tensor>();
  if (x == nullptr || codes == nullptr) return error;
  Tensor result = codes->Clone();
  for (int64_t i = 0; i < result.numel(); ++i) {
    float& own = result.data<float>()[i];
    if (own > 0)
      own += static_cast<float>(0x1p-22 * std::fabs(x->ValueAt(i)) + 2 * own * 0x1p-22);
  }
  return result;
}

// Engines keep weights of dtype float16 rounded; a reference module, which has no scheme
// for them, does not.
void RoundHalfWeights(GraphModule& reference) {
  for (const Node& node : reference.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    std::vector<Module*> open = {reference.FindModule(node.target()).get()};
    while (!open.empty()) {
      Module* module = open.back();
      open.pop_back();
      if (module == nullptr) continue;
      for (auto& [name, child] : module->children) open.push_back(child.get());
      for (auto& [name, parameter] : module->parameters) {
        if (!parameter || module->Text(name + "_dtype", "") != "torch.float16") continue;
        parameter = PackedHalfWeight(*parameter, "fbgemm");
      }
    }
  }
}

// Half a step of the accumulator that feeds a node, from the weighted module or function
// before it: what rounding the bias can move. 0 without one.
double HalfBiasStep(const Node& quantize, const GraphModule& module,
                    const BoundedValues& values) {
  const Node* node = quantize.args().at(0).AsNode();
  double input_step = 0;
  double weight_step = 0;
  for (int depth = 0; node != nullptr && depth < 2; ++depth) {
    for (const Node* input : node->InputNodes()) {
      if (input->target() != "dequantize") continue;
      const Tensor* codes = values.ValueOf(*input->args().at(0).AsNode()).As<Tensor>();
      if (codes == nullptr || !codes->quantization()) continue;
      double largest = 0;
      for (const double scale : codes->quantization()->scale) {
        largest = std::max(largest, scale);
      }
      if (input_step == 0) {
        input_step = largest;
      } else {
        weight_step = std::max(weight_step, largest);
      }
    }
    if (node->op() == Op::kCallModule) {
      const std::shared_ptr<Module> called = module.FindModule(node->target());
      std::vector<const Module*> open = {called.get()};
      for (const auto& [name, child] : called->children) open.push_back(child.get());
      for (const Module* part : open) {
        const Tensor* scale =
            part == nullptr ? nullptr : part->FindTensor("weight_scale");
        for (int64_t i = 0; scale != nullptr && i < scale->numel(); ++i) {
          weight_step = std::max(weight_step, scale->ValueAt(i));
        }
      }
    }
    if (input_step != 0) break;
    node = node->args().empty() ? nullptr : node->args()[0].AsNode();
  }
  return input_step * weight_step / 2;
}

bool IsDynamicHalf(const Node& node) {
  if (node.op() != Op::kCallFunction ||
      node.target() != "torch.quantize_per_tensor_dynamic" || node.args().size() < 2) {
    return false;
  }
  const DType* dtype = node.args()[1].As<DType>();
  return dtype != nullptr && *dtype == DType::kFloat16;
}

// The reference graph's result with how far an engine's may lie from it.
BoundedValue RunReference(const FxRecord& record, GraphModule& reference,
                          const std::string& engine) {
  BoundedValues values(reference, Registry::BuiltIn());
  const auto visit = [&](const Node& node) {
    if (IsDynamicHalf(node)) {
      // The engines multiply the input as it is by a float16 weight.
      const Node& source = *node.args().at(0).AsNode();
      values.Set(node, values.ValueOf(source), values.ErrorOf(source));
      return true;
    }
    if (node.op() == Op::kCallMethod && node.target() == "dequantize") {
      const Node& codes = *node.args().at(0).AsNode();
      values.Set(node, values.ValueOf(node),
                 DequantizeError(values.ValueOf(node), values.ErrorOf(codes)));
      return true;
    }
    const double step = StepOf(node, reference);
    if (step <= 0) return true;
    const Node& source = *node.args().at(0).AsNode();
    const Tensor* x = values.ValueOf(source).As<Tensor>();
    // Graph inputs are quantized alike by everybody.
    if (x == nullptr || source.op() == Op::kPlaceholder) return true;
    const double bias_step =
        engine == "qnnpack" ? HalfBiasStep(node, reference, values) : 0;
    const Tensor error =
        QuantizeError(*x, values.ErrorOf(source).As<Tensor>(), step, bias_step);
    const Value code = values.ValueOf(node);
    values.Set(node, code, error);
    return true;
  };
  return values.Run(record.test_input, visit).value_or(BoundedValue());
}

// Whether every element of a tensor lies inside the bound; other values have none.
bool LiesInside(const Value& value, const BoundedValue& bounded) {
  const Tensor* got = value.As<Tensor>();
  const Tensor* middle = bounded.value.As<Tensor>();
  const Tensor* error = bounded.error.As<Tensor>();
  if (got == nullptr || middle == nullptr || error == nullptr ||
      got->shape() != middle->shape()) {
    return false;
  }
  const auto real = [](const Tensor& tensor, int64_t i) {
    if (!tensor.quantization()) return tensor.ValueAt(i);
    const QuantizationParameters& by = *tensor.quantization();
    return (tensor.ValueAt(i) - by.zero_point[0]) * by.scale[0];
  };
  for (int64_t i = 0; i < got->numel(); ++i) {
    if (!(std::fabs(real(*got, i) - real(*middle, i)) <= error->ValueAt(i))) return false;
  }
  return true;
}

// Whether the graph calls a dynamically quantized layer or cell that remembers.
bool QuantizesItsState(const GraphModule& lowered) {
  for (const Node& node : lowered.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    const std::string& type = lowered.ModuleAt(node.target())->type;
    for (const char* name : {".dynamic.LSTM", ".dynamic.GRU", "Cell"}) {
      if (type.find(name) != std::string::npos) return true;
    }
  }
  return false;
}

// The lowered graph by our definitions of the engine's operators gives torch's values, or
// they lie where a tie may have taken them.
std::optional<Difference> CompareOutput(const FxRecord& record,
                                        const GraphModule& lowered,
                                        GraphModule& reference, const std::string& engine,
                                        const ordered_json& want, RecordReport& report) {
  const Registry registry = NativeRegistry(engine, Registry::BuiltIn());
  GraphModule running = lowered.Clone();
  BoundedValue got;
  try {
    got = BoundedValues(running, registry).Run(record.test_input).value_or(got);
  } catch (const std::runtime_error& error) {
    // An engine says in its own words what it cannot do.
    if (want.contains("run_error")) return std::nullopt;
    return Difference{"output", error.what(), "a value"};
  }
  const std::string stage = "lowered " + engine + ", output";
  if (want.contains("run_error")) {
    report.NotCompared(stage, "torch fails, ours runs: " + ShortText(want["run_error"]));
    return std::nullopt;
  }
  auto difference =
      CompareValue("output", got.value, got.error, want.at("output"), report);
  if (!difference) return std::nullopt;
  RoundHalfWeights(reference);
  const BoundedValue bounded = RunReference(record, reference, engine);
  if (QuantizesItsState(lowered)) {
    // At every step, which the reference graph does not: only what its sums are known up
    // to holds here, too. Where it takes a state to another code, that is a difference.
    return CompareValue("output", got.value, bounded.error, want.at("output"), report);
  }
  RecordReport inside("");
  const auto outside =
      CompareValue("output", bounded.value, bounded.error, want.at("output"), inside);
  // Our operators of the engine give its bits: where the reference graph has no bound,
  // nothing excuses a difference.
  if (!inside.not_compared().empty()) return difference;
  if (!outside && LiesInside(got.value, bounded)) {
    report.NotCompared(
        stage, fmt::format("got {}, want {} at {}; both lie inside the bound of the "
                           "engine's roundings around the reference graph",
                           difference->got, difference->want, difference->where));
    return std::nullopt;
  }
  if (!outside) return difference;
  difference->got +=
      "; the reference graph has " + outside->got + " at " + outside->where;
  return difference;
}

std::optional<Difference> CompareEngine(const FxRecord& record, const Prepared& prepared,
                                        const ConvertOptions& options,
                                        const ordered_json& want, RecordReport& report) {
  GraphModule reference;
  GraphModule lowered;
  try {
    reference = ConvertToReference(prepared, options);
    lowered = ConvertToNative(prepared, options);
  } catch (const PipelineError& error) {
    const std::string got = error.kind() + ": " + error.what();
    if (!want.contains("error")) return Difference{"error", got, "no error"};
    if (error.kind() == ErrorKind(want.at("error"))) return std::nullopt;
    return Difference{"error", got, want.at("error").get<std::string>()};
  } catch (const InputError& error) {
    return Difference{"error", error.what(), "no error of ours"};
  }
  if (want.contains("error")) {
    return Difference{"error", "no error", want.at("error").get<std::string>()};
  }
  // Records of an engine after the first keep only what it computes.
  const bool has_result = want.contains("output") || want.contains("run_error");
  if (want.contains("graph")) {
    if (auto difference = CompareStructure(lowered, want)) return difference;
  } else if (!has_result) {
    return Difference{"", "a graph", "nothing is recorded"};
  }
  if (!has_result) {
    report.NotCompared("lowered " + options.engine + ", output",
                       "the record does not hold it");
    return std::nullopt;
  }
  if (!record.values_known) return std::nullopt;
  return CompareOutput(record, lowered, reference, options.engine, want, report);
}

}  // namespace

void CompareLowered(const FxRecord& record, const Prepared& prepared,
                    const ConvertOptions& options, const ordered_json& want,
                    RecordReport& report) {
  for (const auto& [engine, lowered] : want.items()) {
    if (!lowered.is_object()) {
      report.NotCompared("lowered " + engine, "the record does not hold it");
      continue;
    }
    ConvertOptions engine_options = options;
    engine_options.is_decomposed = false;
    engine_options.engine = engine;
    auto difference = CompareEngine(record, prepared, engine_options, lowered, report);
    if (difference) difference->where = engine + ": " + difference->where;
    report.Add("lowered", std::move(difference));
  }
}

}  // namespace qconform::parity
