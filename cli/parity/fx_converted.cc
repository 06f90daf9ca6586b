// The comparison of reference graphs, of the codes that they compute and their output.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cli/parity/error_bound.h"
#include "cli/parity/fx_stages.h"
#include "cli/parity/native_record.h"
#include "cli/parity/observer_state.h"
#include "cli/parity/record_json.h"
#include "cli/parity/scale_error.h"
#include "cli/parity/zero_point_error.h"
#include "reference/formats/tensor_json.h"
#include "reference/ir/error.h"

namespace qconform::parity {
namespace {

// Only what a light record of a module holds.
ordered_json OnlyKeysOf(const ordered_json& got, const ordered_json& want) {
  if (!got.is_object() || !want.is_object() || want.contains("b64")) return got;
  ordered_json result = ordered_json::object();
  for (const auto& [key, value] : want.items()) {
    if (got.contains(key)) result[key] = OnlyKeysOf(got.at(key), value);
  }
  return result;
}

// Records of recurrent modules do not hold the attributes of their weights.
void DropUnrecorded(ordered_json& module) {
  const std::string type = module.value("type", "");
  const std::string reference = "torch.ao.nn.quantized.reference.";
  const bool recurrent =
      type.starts_with(reference) &&
      (type.find("LSTM") != std::string::npos || type.find("GRU") != std::string::npos ||
       type.find("RNN") != std::string::npos);
  if (!recurrent) return;
  ordered_json kept = ordered_json::object();
  for (const auto& [key, value] : module.at("attrs").items()) {
    if (!key.starts_with("weight_") && key != "is_decomposed") kept[key] = value;
  }
  module["attrs"] = kept;
}

// Codes may differ only where the value's bound reaches a tie between two of them.
std::optional<Difference> CompareCodes(const Node& node, const Tensor& got,
                                       const Tensor& want, const Tensor* x,
                                       const Tensor* error, double scale,
                                       RecordReport& report) {
  const std::string where = "quantize_outputs." + node.name();
  if (got.dtype() != want.dtype() || got.shape() != want.shape()) {
    return Difference{where, std::string(DTypeName(got.dtype())) + ShapeText(got.shape()),
                      std::string(DTypeName(want.dtype())) + ShapeText(want.shape())};
  }
  int64_t ties = 0;
  double furthest = 0;
  bool unbounded = false;
  for (int64_t i = 0; i < got.numel(); ++i) {
    if (got.ValueAt(i) == want.ValueAt(i)) continue;
    if (error != nullptr && std::isinf(error->ValueAt(i))) {
      unbounded = true;
      continue;
    }
    const Difference difference{fmt::format("{}[{}]", where, i),
                                fmt::format("{}", got.ValueAt(i)),
                                fmt::format("{}", want.ValueAt(i))};
    if (x == nullptr || error == nullptr || scale <= 0) return difference;
    const double steps = x->ValueAt(i) / scale;
    const double to_tie = std::fabs(steps - std::floor(steps) - 0.5);
    // The quotient itself is rounded twice.
    double reach = error->ValueAt(i) / scale + 0x1p-22 * std::fabs(steps);
    if (got.quantization() && want.quantization()) {
      const double own = got.quantization()->scale[0];
      reach += std::fabs(steps) * std::fabs(own - scale) / scale;
    }
    if (std::fabs(got.ValueAt(i) - want.ValueAt(i)) > 1 || to_tie > reach) {
      return Difference{
          difference.where,
          fmt::format("{} ({} from a tie, bound {})", difference.got, to_tie, reach),
          difference.want};
    }
    ++ties;
    furthest = std::max(furthest, to_tie);
  }
  if (unbounded) report.NotBounded(where);
  if (ties > 0) {
    report.Note(fmt::format("{}: {} of {} codes differ at a tie (at most {} steps away)",
                            where, ties, got.numel(), furthest));
  }
  return std::nullopt;
}

std::optional<Difference> CompareTensor(const std::string& where, const Tensor& got,
                                        const Tensor* error, const ordered_json& json,
                                        RecordReport& report) {
  const Tensor want = TensorFromJson(json, where);
  if (got.dtype() != want.dtype() || got.shape() != want.shape()) {
    return Difference{where, std::string(DTypeName(got.dtype())) + ShapeText(got.shape()),
                      std::string(DTypeName(want.dtype())) + ShapeText(want.shape())};
  }
  double closest = 0;
  bool unbounded = false;
  for (int64_t i = 0; i < got.numel(); ++i) {
    const double a = got.ValueAt(i);
    const double b = want.ValueAt(i);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    const double bound = error == nullptr ? 0 : error->ValueAt(i);
    if (std::isinf(bound)) {
      unbounded = true;
      continue;
    }
    if (std::fabs(a - b) <= bound) {
      closest = std::max(closest, std::fabs(a - b) / bound);
      continue;
    }
    return Difference{fmt::format("{}[{}]", where, i),
                      fmt::format("{} (bound {})", a, bound), fmt::format("{}", b)};
  }
  if (unbounded) report.NotBounded(where);
  if (closest > 0) {
    report.Note(fmt::format("{}: inside its bound, at most {} of it", where, closest));
  }
  return std::nullopt;
}

}  // namespace

std::optional<Difference> CompareValue(const std::string& where, const Value& got,
                                       const Value& error, const ordered_json& want,
                                       RecordReport& report) {
  if (IsTensorJson(want)) {
    const Tensor* tensor = got.As<Tensor>();
    if (tensor == nullptr) return Difference{where, ValueText(got), ShortText(want)};
    return CompareTensor(where, *tensor, error.As<Tensor>(), want, report);
  }
  const bool is_list = want.is_array() || want.contains("t") || want.contains("l");
  if (is_list) {
    const ordered_json& items = want.is_array()      ? want
                                : want.contains("t") ? want.at("t")
                                                     : want.at("l");
    const ValueSequence* sequence = got.As<ValueSequence>();
    if (sequence == nullptr || sequence->items.size() != items.size()) {
      return Difference{where, ValueText(got), ShortText(want)};
    }
    const ValueSequence* errors = error.As<ValueSequence>();
    for (size_t i = 0; i < items.size(); ++i) {
      if (auto difference = CompareValue(
              fmt::format("{}[{}]", where, i), sequence->items[i],
              errors == nullptr ? Value() : errors->items[i], items[i], report)) {
        return difference;
      }
    }
    return std::nullopt;
  }
  if (want.is_object()) {
    const ordered_json& members = want.contains("d") ? want.at("d") : want;
    const ValueDictionary* dictionary = got.As<ValueDictionary>();
    if (dictionary == nullptr || dictionary->items.size() != members.size()) {
      return Difference{where, ValueText(got), ShortText(want)};
    }
    const ValueDictionary* errors = error.As<ValueDictionary>();
    for (size_t i = 0; i < dictionary->items.size(); ++i) {
      const auto& [key, item] = dictionary->items[i];
      if (!members.contains(key))
        return Difference{where + "." + key, "present", "absent"};
      if (auto difference =
              CompareValue(where + "." + key, item,
                           errors == nullptr ? Value() : errors->items[i].second,
                           members.at(key), report)) {
        return difference;
      }
    }
    return std::nullopt;
  }
  if (const double* real = got.As<double>()) {
    if (want.is_number() && *real == want.get<double>()) return std::nullopt;
  }
  if (const int64_t* whole = got.As<int64_t>()) {
    if (want.is_number_integer() && *whole == want.get<int64_t>()) return std::nullopt;
  }
  if (got.IsNone() && want.is_null()) return std::nullopt;
  return Difference{where, ValueText(got), ShortText(want)};
}

namespace {

// The step of a quantize node, from its scale argument; 0 if there is no single one.
double StepOf(const Node& node, const BoundedValues& values) {
  if (node.args().size() < 2) return 0;
  if (const double* real = node.args()[1].As<double>()) return *real;
  const Node* scale = node.args()[1].AsNode();
  if (scale == nullptr) return 0;
  const Tensor* tensor = values.ValueOf(*scale).As<Tensor>();
  return tensor != nullptr && tensor->numel() == 1 ? tensor->ValueAt(0) : 0;
}

// What the range that is chosen from x starts at: not above 0.
double LowEnd(const Tensor& x) {
  double low = 0;
  for (int64_t i = 0; i < x.numel(); ++i) low = std::min(low, x.ValueAt(i));
  return low;
}

// choose_qparams of a value known up to E, which then is what its range is known up to;
// the zero point moves by one where that reaches a tie.
std::optional<Difference> CompareChosenQparams(const Node& node,
                                               const BoundedValues& values,
                                               const ordered_json& want,
                                               RecordReport& report) {
  const std::string where = "quantize_outputs." + node.name();
  const Value wanted = ValueFromJson(want, where);
  const ValueSequence* got_pair = values.ValueOf(node).As<ValueSequence>();
  const ValueSequence* want_pair = wanted.As<ValueSequence>();
  if (got_pair == nullptr || want_pair == nullptr || got_pair->items.size() != 2 ||
      want_pair->items.size() != 2) {
    return Difference{where, ValueText(values.ValueOf(node)), ShortText(want)};
  }
  const Tensor* tensors[] = {
      got_pair->items[0].As<Tensor>(), want_pair->items[0].As<Tensor>(),
      got_pair->items[1].As<Tensor>(), want_pair->items[1].As<Tensor>()};
  for (const Tensor* tensor : tensors) {
    if (tensor == nullptr) return Difference{where, "no tensor", ShortText(want)};
  }
  const double error = LargestError(values.ErrorOf(*node.args()[0].AsNode()));
  if (std::isinf(error)) {
    if (tensors[0]->ValueAt(0) != tensors[1]->ValueAt(0)) report.NotBounded(where);
    return std::nullopt;
  }
  const double steps =
      static_cast<double>(*node.args()[2].As<int64_t>() - *node.args()[1].As<int64_t>());
  const double scale = tensors[1]->ValueAt(0);
  const double bound = error == 0 ? 0 : ScaleError(error, steps, scale);
  if (tensors[2]->dtype() != DType::kInt64 || tensors[3]->dtype() != DType::kInt64) {
    return Difference{where + "[1]", std::string(DTypeName(tensors[2]->dtype())),
                      "int64 as recorded"};
  }
  if (tensors[0]->dtype() != tensors[1]->dtype() ||
      IsApart(tensors[0]->ValueAt(0), scale, bound)) {
    return Difference{where + "[0]",
                      fmt::format("{} (bound {})", tensors[0]->ValueAt(0), bound),
                      fmt::format("{}", scale)};
  }
  // A symmetric choice has its middle code.
  ZeroPointTie tie;
  if (error > 0 && node.target().ends_with("choose_qparams.tensor")) {
    tie = TieOf(LowEnd(*values.ValueOf(*node.args()[0].AsNode()).As<Tensor>()), scale,
                error, bound);
  }
  return CompareZeroPoint(where + "[1]", tensors[2]->IntegerAt(0),
                          tensors[3]->IntegerAt(0), tie, report);
}

// The codes of a quantize node.
std::optional<Difference> CompareQuantized(const Node& node, const BoundedValues& values,
                                           const Tensor& wanted, RecordReport& report) {
  const Tensor* got = values.ValueOf(node).As<Tensor>();
  if (got == nullptr) return Difference{node.name(), "no tensor", "codes"};
  const Node& source = *node.args()[0].AsNode();
  // A dynamic quantize has chosen its own step.
  const bool has_step = wanted.quantization() && wanted.quantization()->axis < 0;
  const double step = has_step ? wanted.quantization()->scale[0] : StepOf(node, values);
  return CompareCodes(node, *got, wanted, values.ValueOf(source).As<Tensor>(),
                      values.ErrorOf(source).As<Tensor>(), step, report);
}

}  // namespace

std::optional<Difference> CompareRun(const std::vector<Value>& test_input,
                                     GraphModule& module, const ordered_json& want,
                                     RecordReport& report) {
  BoundedValues values(module, Registry::BuiltIn());
  values.set_unbounded_sink(
      [&](const std::string& operation) { report.WithoutBound(operation); });
  const ordered_json& codes = want.at("quantize_outputs");
  size_t compared = 0;
  std::optional<Difference> difference;
  const auto visit = [&](const Node& node) {
    if (!codes.contains(node.name())) return true;
    const ordered_json& recorded = codes.at(node.name());
    const Value wanted = ValueFromJson(recorded, node.name());
    difference = IsTensorJson(recorded)
                     ? CompareQuantized(node, values, *wanted.As<Tensor>(), report)
                     : CompareChosenQparams(node, values, recorded, report);
    values.Set(node, wanted);
    ++compared;
    return !difference;
  };
  const auto output = values.Run(test_input, visit);
  if (difference || !output) return difference;
  if (compared != codes.size()) {
    return Difference{"quantize_outputs", fmt::format("{} nodes", compared),
                      fmt::format("{} nodes", codes.size())};
  }
  return CompareValue("output", output->value, output->error, want.at("output"), report);
}

std::optional<Difference> CompareConverted(const FxRecord& record,
                                           const GraphModule& converted,
                                           const ordered_json& record_want, bool light,
                                           RecordReport& report) {
  // Light records leave out what is empty.
  ordered_json want = record_want;
  for (const char* key : {"modules", "attrs", "quantize_outputs"}) {
    if (!want.contains(key) && !want.contains("run_error")) {
      want[key] = ordered_json::object();
    }
  }
  if (auto difference =
          FirstDifference(GraphToRecord(converted.graph), want.at("graph"), "graph")) {
    return difference;
  }
  // A custom module may hold quantized ones.
  if (want.contains("modules")) want["modules"] = NormalizedModules(want.at("modules"));
  ordered_json modules =
      NativeModulesToRecord(converted, want.value("modules", ordered_json::object()));
  for (auto& [name, module] : modules.items()) {
    DropUnrecorded(module);
    for (auto& [child_name, child] : module["children"].items()) DropUnrecorded(child);
    if (module["children"].empty()) module.erase("children");
  }
  if (light) modules = OnlyKeysOf(modules, want.at("modules"));
  if (auto difference = FirstDifference(modules, want.at("modules"), "modules")) {
    return difference;
  }
  if (auto difference =
          FirstDifference(AttributesToRecord(converted), want.at("attrs"), "attrs")) {
    return difference;
  }
  if (!record.values_known) return std::nullopt;
  GraphModule module = converted.Clone();
  if (want.contains("run_error")) {
    try {
      BoundedValues(module, Registry::BuiltIn()).Run(record.test_input);
    } catch (const PipelineError& error) {
      const ordered_json& text = want.at("run_error");
      if (ErrorKind(text) == error.kind()) return std::nullopt;
      return Difference{"run_error", error.kind() + ": " + error.what(),
                        text.get<std::string>()};
    } catch (const std::runtime_error& error) {
      report.NotCompared("run_error", "torch: " + ShortText(want.at("run_error")) +
                                          "; ours: " + error.what());
      return std::nullopt;
    }
    return Difference{"run_error", "runs", ShortText(want.at("run_error"))};
  }
  return CompareRun(record.test_input, module, want, report);
}

}  // namespace qconform::parity
