#include "reference/golden/qparams_json.h"

#include <unordered_map>

#include "reference/formats/json_value.h"
#include "reference/ir/error.h"
#include "reference/observe/observer.h"

namespace qconform {
namespace {

ordered_json Numbers(const Tensor& tensor) {
  if (tensor.numel() == 1) return RealToJson(tensor.ValueAt(0));
  ordered_json list = ordered_json::array();
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    list.push_back(RealToJson(tensor.ValueAt(i)));
  }
  return list;
}

void AddStatistics(const Observer& observer, ordered_json& entry) {
  entry["class"] = observer.class_name;
  entry["dtype"] = std::string(DTypeName(observer.dtype));
  entry["qscheme"] = std::string(QSchemeName(observer.qscheme));
  const OrderedMap<Tensor> buffers = observer.Buffers();
  for (const auto& [buffer, key] : {std::pair("min_val", "min"), {"max_val", "max"}}) {
    if (const Tensor* tensor = buffers.Find(buffer)) entry[key] = Numbers(*tensor);
  }
  try {
    const Qparams qparams = observer.CalculateQparams();
    entry["scale"] = Numbers(qparams.scale);
    entry["zero_point"] = Numbers(qparams.zero_point);
  } catch (const PipelineError&) {
    // Placeholders have no parameters.
  }
}

}  // namespace

ordered_json QparamsToJson(const GraphModule& prepared) {
  ordered_json entries = ordered_json::array();
  std::unordered_map<const ModuleState*, std::string> first;
  for (const Node& node : prepared.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    const std::shared_ptr<Module> module = prepared.FindModule(node.target());
    if (module == nullptr) continue;
    const auto* observer = dynamic_cast<const Observer*>(module->state.get());
    if (observer == nullptr || node.args().empty()) continue;
    const Node* observed = node.args()[0].AsNode();
    ordered_json entry = {{"observer", node.name()}};
    if (observed != nullptr) entry["observes"] = observed->name();
    const auto [found, is_first] = first.emplace(module->state.get(), node.name());
    if (is_first) {
      AddStatistics(*observer, entry);
    } else {
      entry["shares"] = found->second;
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace qconform
