#include "reference/convert/calibrated_scale.h"

#include <fmt/format.h>

#include "reference/observe/make_observer.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/weight_constructor.h"

namespace qconform {
namespace {

// Empty if the scales keep to the bounds, or none was computed.
std::string OutOfBounds(const char* side, const Observer& observer,
                        const DTypeWithConstraints& bounds) {
  if (!bounds.scale_max_upper_bound || observer.dtype != bounds.dtype ||
      observer.is_dynamic) {
    return "";
  }
  const Tensor scales = observer.CalculateQparams().scale;
  for (int64_t i = 0; i < scales.numel(); ++i) {
    const double scale = scales.ValueAt(i);
    if (scale > *bounds.scale_max_upper_bound) {
      return fmt::format("{} scale {} is above scale_max_upper_bound {}", side, scale,
                         *bounds.scale_max_upper_bound);
    }
  }
  return "";
}

class ScaleCheck {
 public:
  explicit ScaleCheck(const Prepared& prepared) : prepared_(prepared) {}

  std::string Check(const QuantizationMatch& match, const QConfig& qconfig,
                    const DTypeConfig& bounds) const {
    std::string reason;
    const NodeTarget& target = prepared_.targets.at(match.root);
    for (const Node* input : match.root->InputNodes()) {
      const std::shared_ptr<Observer> observer = ObserverAt(*input);
      if (!reason.empty() || !observer) continue;
      const bool is_weight = IsWeightArgument(*match.root, target, input);
      reason = OutOfBounds(is_weight ? "weight" : "input", *observer,
                           is_weight ? bounds.weight_dtype : bounds.input_dtype);
    }
    for (const Node* user : match.last->users()) {
      const std::shared_ptr<Observer> observer = ObserverAt(*user);
      if (!reason.empty() || !observer) continue;
      reason = OutOfBounds("output", *observer, bounds.output_dtype);
    }
    if (reason.empty() && bounds.weight_dtype.scale_max_upper_bound) {
      reason = CheckModuleWeight(match, qconfig, bounds.weight_dtype);
    }
    return reason;
  }

 private:
  std::shared_ptr<Observer> ObserverAt(const Node& node) const {
    return node.op() == Op::kCallModule
               ? ObserverOf(prepared_.module.FindModule(node.target()))
               : nullptr;
  }

  std::string CheckModuleWeight(const QuantizationMatch& match, const QConfig& qconfig,
                                const DTypeWithConstraints& bounds) const {
    if (match.root->op() != Op::kCallModule || !qconfig.weight) return "";
    std::shared_ptr<Module> module = prepared_.module.FindModule(match.root->target());
    if (const auto* trained = module->children.Find("weight_fake_quant")) {
      const std::shared_ptr<Observer> observer = ObserverOf(*trained);
      return observer ? OutOfBounds("weight", *observer, bounds) : "";
    }
    if (const auto* first = module->children.Find("0")) module = *first;
    const Tensor* weight = module == nullptr ? nullptr : module->FindTensor("weight");
    if (weight == nullptr) return "";
    const Mode mode = prepared_.options.mode;
    const std::shared_ptr<Observer> observer =
        MakeObserver(WeightConstructor(*qconfig.weight, module->type, mode), mode);
    observer->Forward(*weight);
    return OutOfBounds("weight", *observer, bounds);
  }

  const Prepared& prepared_;
};

}  // namespace

OrderedMap<std::string> ScalesOutOfBounds(const Prepared& prepared) {
  OrderedMap<std::string> reasons;
  const ScaleCheck check(prepared);
  for (const auto& [name, match] : prepared.matches) {
    const SupportVerdict* verdict = prepared.support.Find(name);
    const NodeQConfig* resolved = prepared.node_qconfigs.Find(name);
    if (match->last->name() != name || verdict == nullptr || !verdict->supported ||
        verdict->dtype_config == nullptr || resolved == nullptr ||
        resolved->qconfig == nullptr) {
      continue;
    }
    std::string reason = check.Check(*match, *resolved->qconfig, *verdict->dtype_config);
    if (!reason.empty()) reasons.Set(name, std::move(reason));
  }
  return reasons;
}

}  // namespace qconform
