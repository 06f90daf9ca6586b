#include "reference/formats/graph_json.h"
#include "reference/formats/json_value.h"
#include "reference/lower/program_json.h"

namespace qconform {
namespace {

// Constants stand in the tensor file under this prefix and their values' names.
constexpr char kConstantPrefix[] = "constant.";

ordered_json Numbers(const std::vector<double>& values) {
  if (values.size() == 1) return RealToJson(values[0]);
  ordered_json list = ordered_json::array();
  for (double value : values) list.push_back(RealToJson(value));
  return list;
}

ordered_json ValueToJson(const ProgramValue& value) {
  ordered_json object = ordered_json::object();
  AppendMember(object, "name", value.name);
  AppendMember(object, "dtype", std::string(DTypeName(value.dtype)));
  AppendMember(object, "shape", value.shape);
  if (value.quantization) {
    AppendMember(object, "scale", Numbers(value.quantization->scale));
    AppendMember(object, value.float_zero_point ? "zero_point_f32" : "zero_point",
                 Numbers(value.quantization->zero_point));
    if (value.quantization->axis >= 0) {
      AppendMember(object, "axis", value.quantization->axis);
    }
  }
  if (value.quant_min != 0 || value.quant_max != 0) {
    AppendMember(object, "quant_min", value.quant_min);
    AppendMember(object, "quant_max", value.quant_max);
  }
  if (value.constant) AppendMember(object, "constant", true);
  return object;
}

class Writer {
 public:
  Writer(const Program& program, OrderedMap<Tensor>& tensors)
      : program_(program), tensors_(tensors) {}

  ordered_json Write() {
    ordered_json values = ordered_json::array();
    for (const ProgramValue& value : program_.values) {
      values.push_back(ValueToJson(value));
      if (value.constant) tensors_.Set(kConstantPrefix + value.name, *value.constant);
    }
    ordered_json steps = ordered_json::array();
    for (const ProgramStep& step : program_.steps) {
      if (const FloatIsland* island = std::get_if<FloatIsland>(&step)) {
        steps.push_back(Island(*island));
      } else {
        steps.push_back(Operator(std::get<ProgramOperator>(step)));
      }
    }
    ordered_json root = ordered_json::object();
    AppendMember(root, "format", "qconform.program/1");
    AppendMember(root, "values", std::move(values));
    AppendMember(root, "steps", std::move(steps));
    AppendMember(root, "inputs", Names(program_.inputs));
    AppendMember(root, "outputs", Names(program_.outputs));
    return root;
  }

 private:
  ordered_json Names(const std::vector<int>& values) const {
    ordered_json names = ordered_json::array();
    for (int value : values) {
      names.push_back(
          value < 0 ? ordered_json()
                    : ordered_json(program_.values[static_cast<size_t>(value)].name));
    }
    return names;
  }

  ordered_json Operator(const ProgramOperator& step) const {
    ordered_json object = ordered_json::object();
    AppendMember(object, "operator", std::string(OperatorKindName(step.kind)));
    AppendMember(object, "node", step.node);
    AppendMember(object, "nodes", step.nodes);
    if (!step.pattern.empty()) AppendMember(object, "pattern", step.pattern);
    AppendMember(object, "attributes", AttributesToJson(step.attributes));
    AppendMember(object, "inputs", Names(step.inputs));
    AppendMember(object, "outputs", Names(step.outputs));
    AppendMember(object, "scheme", step.scheme);
    return object;
  }

  ordered_json Island(const FloatIsland& island) {
    ordered_json object = ordered_json::object();
    AppendMember(object, "reason", island.reason);
    AppendMember(object, "nodes", island.nodes);
    AppendMember(object, "inputs", Names(island.inputs));
    AppendMember(object, "outputs", Names(island.outputs));
    AppendMember(object, "island", GraphModuleToJson(island.part, &tensors_));
    return object;
  }

  const Program& program_;
  OrderedMap<Tensor>& tensors_;
};

}  // namespace

ordered_json ProgramToJson(const Program& program, OrderedMap<Tensor>& tensors) {
  return Writer(program, tensors).Write();
}

}  // namespace qconform
