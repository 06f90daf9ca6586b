#include "cli/parity/fake_quant_part.h"

#include <fmt/format.h>

#include "cli/parity/compare_values.h"
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

void Toggle(FakeQuantizeObserver& observer, const std::string& toggle) {
  if (toggle == "disable_fake_quant") observer.fake_quant_enabled = false;
  if (toggle == "disable_observer") observer.observer_enabled = false;
}

void CompareCase(const ordered_json& row, RecordReport& report) {
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
    if (when == (i == 0 ? "first" : "second")) Toggle(*observer, toggle);
    report.Add("step", CompareStep(*observer, steps[i], fmt::format("steps[{}]", i)));
  }
  if (row.contains("qparams")) {
    report.Add("qparams", CompareQparams(*observer, row.at("qparams"), "qparams"));
  }
  // Error rows keep no input; the constructor and the state before are compared.
  if (row.contains("error")) {
    report.Note("the record ends in " + ErrorKind(row.at("error")) +
                " at an input that it does not hold");
  }
}

// What each row of the table of constructors was called with.
ObserverConstructor TableConstructor(const std::string& name) {
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
  throw InputError("record ctor/" + name, "unknown row");
}

// Constructs, and runs once where the constructor itself does not refuse.
void CompareConstructor(const std::string& name, const ordered_json& want,
                        RecordReport& report) {
  const auto observer = std::dynamic_pointer_cast<FakeQuantizeObserver>(
      MakeObserver(TableConstructor(name)));
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
  for (const ordered_json& row : file.at("cases")) {
    const std::string variant = row.contains("seq")
                                    ? row.at("seq").get<std::string>()
                                    : row.at("toggle").get<std::string>() + "_" +
                                          row.at("when").get<std::string>();
    RecordReport report(
        fmt::format("cases/{}/{}", row.at("name").get<std::string>(), variant));
    try {
      CompareCase(row, report);
    } catch (const PipelineError& error) {
      report.Add("error", Difference{"error", error.kind(), "none"});
    }
    part.records.push_back(std::move(report));
  }
  for (const ordered_json& row : file.at("ctor")) {
    const std::string name = row.at(0);
    RecordReport report("ctor/" + name);
    try {
      CompareConstructor(name, row.at(1), report);
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
