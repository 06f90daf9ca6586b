#include "cli/quantized_model.h"

#include "reference/convert/convert.h"
#include "reference/ir/error.h"
#include "reference/observe/calibrate.h"
#include "reference/observe/observer_module.h"

namespace qconform {
namespace {

ordered_json Numbers(const Tensor& tensor) {
  ordered_json list = ordered_json::array();
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    if (IsFloatingDType(tensor.dtype())) {
      list.push_back(tensor.ValueAt(i));
    } else {
      list.push_back(tensor.IntegerAt(i));
    }
  }
  return list;
}

// What every observer saw and what follows from it, in graph order.
ordered_json ObserverTable(const GraphModule& prepared) {
  ordered_json table = ordered_json::object();
  for (const Node& node : prepared.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    const std::shared_ptr<Observer> observer =
        ObserverOf(prepared.FindModule(node.target()));
    if (!observer) continue;
    ordered_json entry;
    entry["class"] = observer->class_name;
    entry["dtype"] = DTypeName(observer->dtype);
    const Node* observed = node.args().empty() ? nullptr : node.args()[0].AsNode();
    if (observed != nullptr) entry["observes"] = observed->name();
    if (observer->quant_min) entry["quant_min"] = *observer->quant_min;
    if (observer->quant_max) entry["quant_max"] = *observer->quant_max;
    const OrderedMap<Tensor> buffers = observer->Buffers();
    for (const char* name : {"min_val", "max_val"}) {
      if (const Tensor* value = buffers.Find(name)) entry[name] = Numbers(*value);
    }
    try {
      const Qparams qparams = observer->CalculateQparams();
      entry["scale"] = Numbers(qparams.scale);
      entry["zero_point"] = Numbers(qparams.zero_point);
    } catch (const PipelineError&) {
      // Placeholders and their like have no parameters.
    }
    table[node.name()] = std::move(entry);
  }
  return table;
}

}  // namespace

PreparedModel PrepareModel(const ModelSource& source) {
  PreparedModel result;
  result.model = LoadModel(source);
  result.config = LoadBackendConfig(source.config);
  result.mapping = LoadMapping(source, result.config);
  PrepareOptions options;
  options.mode = source.mode;
  result.prepared =
      PrepareFx(result.model.graph, result.mapping, result.config.config, options);
  return result;
}

void CalibrateModel(PreparedModel& model,
                    const std::function<void(size_t, size_t)>& progress) {
  const std::vector<Tensor>& batches = model.model.calibration;
  if (batches.empty()) {
    throw InputError("command line", "no calibration data",
                     "--calibration FILE with at least one tensor");
  }
  for (size_t i = 0; i < batches.size(); ++i) {
    progress(i, batches.size());
    RunObserved(model.prepared.module, {Value(batches[i])});
  }
}

Golden MakeModelGolden(const ModelSource& source, const PreparedModel& model) {
  ConvertOptions options;
  options.mode = source.mode;
  GraphModule reference = ConvertToReference(model.prepared, options);
  std::unordered_map<std::string, std::string> patterns;
  for (const auto& [node, match] : model.prepared.matches) {
    if (match->entry != nullptr) patterns[node] = match->entry->key.HumanText();
  }
  const Tensor sample = Rows(model.model.calibration.at(0), 0, 1);
  GoldenSource description =
      DescribeSource(source, model.model, model.config, model.mapping);
  AddTensorDigest(description, "samples", {sample});
  return MakeGolden(std::move(description), model.prepared.module.Clone(),
                    std::move(reference), ObserverTable(model.prepared.module), {sample},
                    patterns);
}

}  // namespace qconform
