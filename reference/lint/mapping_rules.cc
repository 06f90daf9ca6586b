#include "reference/lint/mapping_rules.h"

#include <fmt/format.h>

#include <vector>

#include "reference/config/literal_json.h"
#include "reference/ir/error.h"
#include "reference/ir/nearest_name.h"
#include "reference/observe/make_observer.h"
#include "reference/qconfig/observer_settings.h"

namespace qconform {
namespace {

const std::vector<std::string>& ObserverNames() {
  static const std::vector<std::string> names = {"MinMaxObserver",
                                                 "MovingAverageMinMaxObserver",
                                                 "PerChannelMinMaxObserver",
                                                 "MovingAveragePerChannelMinMaxObserver",
                                                 "HistogramObserver",
                                                 "FixedQParamsObserver",
                                                 "PlaceholderObserver",
                                                 "RecordingObserver",
                                                 "NoopObserver",
                                                 "ReuseInputObserver",
                                                 "FakeQuantize",
                                                 "FixedQParamsFakeQuantize",
                                                 "FusedMovingAvgObsFakeQuantize"};
  return names;
}

class SideRules {
 public:
  SideRules(const std::string& subject, const JsonOrigin& origin, LintFindings& findings)
      : subject_(subject), origin_(origin), findings_(findings) {}

  // False if a class is not known.
  bool KnowsClasses(const ordered_json& json, const ObserverConstructor& constructor) {
    if (!IsObserverClass(constructor.class_name) &&
        constructor.class_name.rfind("torchao.", 0) != 0) {
      Add(LintSeverity::kError, "unknown_name", json,
          fmt::format("unknown observer class '{}'{}",
                      constructor.class_name.substr(0, 80),
                      NearestNameHint(constructor.class_name, ObserverNames())));
      return false;
    }
    if (constructor.observer == nullptr) return true;
    return KnowsClasses(json["kwargs"]["observer"], *constructor.observer);
  }

  void Run(const ordered_json& json, const ObserverConstructor& constructor) {
    if (!KnowsClasses(json, constructor)) return;
    try {
      MakeObserver(constructor);
    } catch (const PipelineError& error) {
      Add(LintSeverity::kError, "observer_refused", json,
          fmt::format("torch raises {} when it makes {}: {}", error.kind(),
                      ToText(constructor), error.what()));
      return;
    } catch (const InputError& error) {
      Add(LintSeverity::kError, "observer_refused", json, error.what());
      return;
    }
    LoneBound(json, constructor);
    RefusedInStrictMode(json, constructor);
    if (constructor.class_name.ends_with("FusedMovingAvgObsFakeQuantize")) {
      Add(LintSeverity::kWarning, "trains_otherwise", json,
          "the fused fake-quantizer trains with other parameters than convert takes: "
          "eps is ignored, no scale is below 6.1e-5",
          "trains with convert's");
    }
  }

  // What torch makes although it cannot mean it: codes that the dtype does not have.
  void RefusedInStrictMode(const ordered_json& json,
                           const ObserverConstructor& constructor) {
    try {
      MakeObserver(constructor, Mode::kStrict);
    } catch (const PipelineError& error) {
      Add(LintSeverity::kWarning, "impossible_codes", json,
          fmt::format("{}: torch makes it all the same; {}", ToText(constructor),
                      error.what()),
          "refused");
    }
  }

  void LoneBound(const ordered_json& json, const ObserverConstructor& constructor) {
    const bool low = constructor.kwargs.Contains("quant_min");
    const bool high = constructor.kwargs.Contains("quant_max");
    // Placeholders and fixed qparams keep each by itself.
    const std::string& name = constructor.class_name;
    if (low == high || name.find("Placeholder") != std::string::npos ||
        name.find("Fixed") != std::string::npos) {
      return;
    }
    Add(LintSeverity::kWarning, "lone_observer_bound", json,
        fmt::format("{} has {} without {}: the observer ignores it", name,
                    low ? "quant_min" : "quant_max", low ? "quant_max" : "quant_min"),
        "the other one from the dtype");
  }

  void Add(LintSeverity severity, const char* kind, const ordered_json& json,
           std::string text, std::string strict = "") {
    findings_.push_back(
        {severity, kind, origin_.Of(json), subject_, std::move(text), std::move(strict)});
  }

 private:
  const std::string& subject_;
  const JsonOrigin& origin_;
  LintFindings& findings_;
};

}  // namespace

void LintQConfig(const ordered_json& json, const QConfig& qconfig,
                 const std::string& subject, const JsonOrigin& origin,
                 LintFindings& findings) {
  SideRules rules(subject, origin, findings);
  const std::pair<const char*, const std::optional<ObserverConstructor>*> sides[] = {
      {"activation", &qconfig.activation}, {"weight", &qconfig.weight}};
  for (const auto& [key, side] : sides) {
    if (!side->has_value()) {
      rules.Add(LintSeverity::kError, "qconfig_side_missing", json,
                fmt::format("the qconfig has no {}: torch raises TypeError at the first "
                            "node that gets it",
                            key));
      continue;
    }
    rules.Run(json[key], **side);
  }
}

bool HasPerChannelWeight(const QConfigPointer& qconfig) {
  return qconfig != nullptr && qconfig->weight &&
         DescribeObserver(*qconfig->weight).IsPerChannel();
}

}  // namespace qconform
