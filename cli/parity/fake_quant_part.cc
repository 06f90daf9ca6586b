#include "cli/parity/fake_quant_part.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "cli/parity/compare_values.h"
#include "cli/parity/json_difference.h"
#include "cli/parity/observer_state.h"
#include "reference/formats/tensor_json.h"
#include "reference/ir/error.h"
#include "reference/observe/fake_quantize_observer.h"
#include "reference/observe/make_observer.h"

namespace qconform::parity {
namespace {

std::optional<Difference> CompareStep(FakeQuantizeObserver& observer,
                                      const ordered_json& step,
                                      const std::string& where) {
  const Tensor x = TensorFromJson(step.at("x"), where + ".x");
  const bool quantizes = observer.fake_quant_enabled;
  observer.makes_mask = true;
  const Tensor y = observer.Forward(x);
  auto difference = CompareTensors(y, step.at("y"), where + ".y");
  if (difference) return difference;
  // The gradient of the sum is the mask, or 1 where nothing was quantized.
  Tensor gradient(DType::kFloat32, x.shape());
  for (int64_t i = 0; i < x.numel(); ++i) {
    gradient.data<float>()[i] =
        !quantizes || observer.mask().data<uint8_t>()[i] ? 1.0f : 0.0f;
  }
  difference = CompareTensors(gradient, step.at("grad"), where + ".grad");
  if (difference) return difference;
  difference = CompareTensors(observer.scale(), step.at("scale"), where + ".scale");
  if (difference) return difference;
  difference =
      CompareTensors(observer.zero_point(), step.at("zero_point"), where + ".zero_point");
  if (difference || !step.contains("min")) return difference;
  return CompareRange(*observer.ActivationPostProcess(), step.at("min"), step.at("max"),
                      where);
}

std::optional<Difference> CompareInitial(const FakeQuantizeObserver& observer,
                                         const ordered_json& want) {
  auto difference = CompareText(observer.class_name, want.at("class"), "initial.class");
  if (difference) return difference;
  difference = CompareTensors(observer.scale(), want.at("scale_buf"), "initial.scale");
  if (difference) return difference;
  difference = CompareTensors(observer.zero_point(), want.at("zero_point_buf"),
                              "initial.zero_point");
  if (difference) return difference;
  difference = CompareNumbers(observer.ch_axis, want.at("ch_axis"), "initial.ch_axis");
  if (difference) return difference;
  return CompareState(*observer.ActivationPostProcess(), want.at("observer"),
                      "initial.observer");
}

// False for an unknown one.
bool Toggle(FakeQuantizeObserver& observer, const std::string& toggle) {
  if (toggle == "disable_fake_quant" || toggle == "enable_fake_quant") {
    observer.fake_quant_enabled = toggle == "enable_fake_quant";
    return true;
  }
  if (toggle == "disable_observer" || toggle == "enable_observer") {
    observer.observer_enabled = toggle == "enable_observer";
    return true;
  }
  return false;
}

// Inputs by sequence and step: rows that end in an error do not hold the input that led
// to it, but others of the same sequence do.
using Inputs = std::map<std::pair<std::string, size_t>, Tensor>;

Inputs InputsOf(const ordered_json& cases) {
  Inputs inputs;
  for (const ordered_json& row : cases) {
    if (!row.contains("seq")) continue;
    for (size_t i = 0; i < row.at("steps").size(); ++i) {
      inputs.emplace(std::make_pair(row.at("seq").get<std::string>(), i),
                     TensorFromJson(row.at("steps")[i].at("x"), "x"));
    }
  }
  return inputs;
}

void CompareError(FakeQuantizeObserver& observer, const ordered_json& row,
                  const Inputs& inputs, RecordReport& report, PartReport& part) {
  const std::string kind = ErrorKind(row.at("error"));
  const auto input =
      inputs.find({row.value("seq", std::string()), row.at("steps").size()});
  if (row.at("error").dump().find("resize storage") != std::string::npos) {
    part.NotCompared(report.name() + "/error",
                     "torch refused to resize a buffer that the recorder had pinned");
    return;
  }
  if (input == inputs.end()) {
    part.NotCompared(report.name() + "/error", "no record holds the input");
    return;
  }
  try {
    observer.Forward(input->second);
    report.Add("error", Difference{"error", "none", kind});
  } catch (const PipelineError& error) {
    report.Add("error", CompareText(error.kind(), kind, "error"));
  }
}

void CompareCase(const ordered_json& row, const Inputs& inputs, RecordReport& report,
                 PartReport& part) {
  const ordered_json& constructor = row.at("ctor");
  const auto observer = std::dynamic_pointer_cast<FakeQuantizeObserver>(MakeObserver(
      ConstructorFromJson(constructor.at("class"), constructor.at("kwargs"))));
  if (row.contains("initial")) {
    report.Add("initial", CompareInitial(*observer, row.at("initial")));
  }
  const std::string toggle = row.value("toggle", "");
  const std::string when = row.value("when", "");
  const ordered_json& steps = row.at("steps");
  for (size_t i = 0; i < steps.size(); ++i) {
    if (when == (i == 0 ? "first" : "second") && !Toggle(*observer, toggle)) {
      report.Add("step", Difference{"toggle", "unknown", toggle});
      return;
    }
    report.Add("step", CompareStep(*observer, steps[i], fmt::format("steps[{}]", i)));
  }
  if (row.contains("qparams")) {
    report.Add("qparams", CompareQparams(*observer, row.at("qparams"), "qparams"));
  }
  if (row.contains("error")) CompareError(*observer, row, inputs, report, part);
}

// What each row of the table of constructors was called with; the rows hold names only.
std::optional<ObserverConstructor> TableConstructor(const std::string& name) {
  const std::string fake = "FakeQuantize";
  const std::string fused = "FusedMovingAvgObsFakeQuantize";
  const ordered_json min_max = {{"class", "MinMaxObserver"},
                                {"kwargs", ordered_json::object()}};
  const ordered_json per_channel = {{"class", "MovingAveragePerChannelMinMaxObserver"},
                                    {"kwargs", ordered_json::object()}};
  if (name == "quant_min below dtype") {
    return ConstructorFromJson(fake, {{"quant_min", -1}, {"quant_max", 255}});
  }
  if (name == "quant_max above dtype") {
    return ConstructorFromJson(fake, {{"quant_min", 0}, {"quant_max", 256}});
  }
  if (name == "qmin>qmax") {
    return ConstructorFromJson(fake, {{"quant_min", 10}, {"quant_max", 5}});
  }
  if (name == "fixed with MinMax") {
    return ConstructorFromJson("FixedQParamsFakeQuantize", {{"observer", min_max}});
  }
  if (name == "fused with MinMax") {
    return ConstructorFromJson(fused, {{"observer", min_max}});
  }
  if (name == "fused per-channel ch_axis 1") {
    return ConstructorFromJson(fused, {{"observer", per_channel}, {"ch_axis", 1}});
  }
  if (name == "is_dynamic avg const") {
    return ConstructorFromJson(fake, {{"is_dynamic", true}});
  }
  if (name == "is_dynamic avg const 0.5") {
    return ConstructorFromJson(fake, {{"is_dynamic", true}, {"averaging_constant", 0.5}});
  }
  if (name == "none range") return ConstructorFromJson(fake, ordered_json::object());
  return std::nullopt;
}

// Constructs, and runs once where the constructor itself does not refuse.
void CompareConstructor(const ObserverConstructor& constructor, const ordered_json& want,
                        RecordReport& report) {
  const auto observer =
      std::dynamic_pointer_cast<FakeQuantizeObserver>(MakeObserver(constructor));
  if (!want.contains("error")) {
    report.Add("initial", CompareInitial(*observer, want));
    return;
  }
  observer->Forward(Tensor::FromVector<float>(DType::kFloat32, {1, 2}, {0.0f, 1.0f}));
  report.Add("error", Difference{"error", "none", want.dump()});
}

}  // namespace

PartReport FakeQuantPart(const ordered_json& file) {
  PartReport part;
  part.name = "fake_quant";
  NameUnread(file, {"cases", "ctor"}, part);
  const ordered_json none = ordered_json::array();
  const ordered_json& cases = file.contains("cases") ? file.at("cases") : none;
  const Inputs inputs = InputsOf(cases);
  for (const ordered_json& row : cases) {
    const std::string variant = row.contains("seq")
                                    ? row.at("seq").get<std::string>()
                                    : row.at("toggle").get<std::string>() + "_" +
                                          row.at("when").get<std::string>();
    RecordReport report(
        fmt::format("cases/{}/{}", row.at("name").get<std::string>(), variant));
    try {
      CompareCase(row, inputs, report, part);
    } catch (const PipelineError& error) {
      report.Add("error",
                 row.contains("error")
                     ? CompareText(error.kind(), ErrorKind(row.at("error")), "error")
                     : Difference{"error", error.kind(), "none"});
    }
    part.records.push_back(std::move(report));
  }
  for (const ordered_json& row : file.contains("ctor") ? file.at("ctor") : none) {
    const std::string name = row.at(0);
    RecordReport report("ctor/" + name);
    const auto constructor = TableConstructor(name);
    if (!constructor) {
      part.NotCompared(report.name(), "the record does not hold its arguments");
      continue;
    }
    try {
      CompareConstructor(*constructor, row.at(1), report);
    } catch (const PipelineError& error) {
      report.Add("error", row.at(1).contains("error")
                              ? CompareText(error.kind(), ErrorKind(row.at(1)), "error")
                              : Difference{"error", error.kind(), "none"});
    }
    part.records.push_back(std::move(report));
  }
  return part;
}

}  // namespace qconform::parity
