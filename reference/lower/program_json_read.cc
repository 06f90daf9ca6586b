#include <cmath>
#include <unordered_map>

#include "reference/formats/graph_json.h"
#include "reference/formats/json_value.h"
#include "reference/ir/error.h"
#include "reference/lower/program_json.h"

namespace qconform {
namespace {

// Constants stand in the tensor file under this prefix and their values' names.
constexpr char kConstantPrefix[] = "constant.";

class Reader {
 public:
  Reader(const JsonOrigin& origin, const OrderedMap<Tensor>& tensors)
      : origin_(origin), tensors_(tensors) {}

  Program Read(const ordered_json& root) {
    RequireOnlyKeys(RequireObject(root, "a program", origin_), "a program",
                    {"format", "values", "steps", "inputs", "outputs"}, origin_);
    const ordered_json& format = RequireMember(root, "format", origin_);
    if (RequireString(format, "'format'", origin_) != "qconform.program/1") {
      Refuse(format, "the format is " + DescribeJson(format), "\"qconform.program/1\"");
    }
    const ordered_json& values = RequireMember(root, "values", origin_);
    for (const ordered_json& value : RequireArray(values, "'values'", origin_)) {
      ReadValue(value);
    }
    made_.resize(program_.values.size());
    for (size_t i = 0; i < made_.size(); ++i) {
      made_[i] = program_.values[i].constant.has_value();
    }
    program_.inputs = Values(root, "inputs", false);
    Make(program_.inputs, root);
    const ordered_json& steps = RequireMember(root, "steps", origin_);
    for (const ordered_json& step : RequireArray(steps, "'steps'", origin_)) {
      ReadStep(step);
    }
    program_.outputs = Values(root, "outputs", false);
    RequireMade(program_.outputs, root);
    return std::move(program_);
  }

 private:
  [[noreturn]] void Refuse(const ordered_json& value, const std::string& what,
                           const std::string& expected) const {
    throw InputError(origin_.Of(value), what, expected);
  }

  const std::string& Text(const ordered_json& object, const char* key) const {
    return RequireString(RequireMember(object, key, origin_), key, origin_);
  }

  std::vector<double> Reals(const ordered_json& value, const char* what) const {
    if (!value.is_array()) return {RequireReal(value, what, origin_)};
    std::vector<double> reals;
    for (const ordered_json& item : value) {
      reals.push_back(RequireReal(item, what, origin_));
    }
    return reals;
  }

  void ReadQuantization(const ordered_json& object, ProgramValue& value) const {
    const ordered_json* scale = FindMember(object, "scale");
    if (scale == nullptr) return;
    QuantizationParameters parameters;
    parameters.scale = Reals(*scale, "scale");
    value.float_zero_point = FindMember(object, "zero_point_f32") != nullptr;
    const char* const key = value.float_zero_point ? "zero_point_f32" : "zero_point";
    parameters.zero_point = Reals(RequireMember(object, key, origin_), key);
    if (const ordered_json* axis = FindMember(object, "axis")) {
      parameters.axis = static_cast<int>(RequireInteger(*axis, "axis", origin_));
    }
    for (double each : parameters.scale) {
      if (!std::isfinite(each) || each <= 0) {
        Refuse(*scale, "a scale is " + DescribeJson(RealToJson(each)),
               "a finite positive number");
      }
    }
    const auto axis = static_cast<size_t>(parameters.axis);
    const int64_t count = parameters.axis < 0         ? 1
                          : axis < value.shape.size() ? value.shape[axis]
                                                      : -1;
    if (static_cast<int64_t>(parameters.scale.size()) != count ||
        parameters.zero_point.size() != parameters.scale.size()) {
      Refuse(object, "the qparams do not fit the shape " + ShapeText(value.shape),
             "one scale and zero point, or one a slice of axis");
    }
    value.quantization = std::move(parameters);
  }

  void ReadValue(const ordered_json& object) {
    RequireOnlyKeys(RequireObject(object, "a value", origin_), "a value",
                    {"name", "dtype", "shape", "scale", "zero_point", "zero_point_f32",
                     "axis", "quant_min", "quant_max", "constant"},
                    origin_);
    ProgramValue value;
    value.name = Text(object, "name");
    const std::optional<DType> dtype = ParseDType(Text(object, "dtype"));
    if (!dtype || IsQuantizedDType(*dtype)) {
      Refuse(object, "value '" + value.name + "' has the dtype " + Text(object, "dtype"),
             "a plain dtype such as uint8");
    }
    value.dtype = *dtype;
    const ordered_json& shape = RequireMember(object, "shape", origin_);
    for (const ordered_json& size : RequireArray(shape, "shape", origin_)) {
      value.shape.push_back(RequireInteger(size, "a size", origin_));
      if (value.shape.back() < 0 || value.shape.back() > INT32_MAX) {
        Refuse(size, "a size is " + DescribeJson(size), "0 to 2^31 - 1");
      }
    }
    if (value.shape.size() > QC_MAX_RANK) {
      Refuse(shape, "there are too many dimensions", "8 at most");
    }
    ReadQuantization(object, value);
    value.quant_min = Bound(object, "quant_min");
    value.quant_max = Bound(object, "quant_max");
    const ordered_json* constant = FindMember(object, "constant");
    if (constant != nullptr && RequireBoolean(*constant, "constant", origin_)) {
      ReadConstant(object, value);
    }
    if (!names_.emplace(value.name, static_cast<int>(program_.values.size())).second) {
      Refuse(object, "the name '" + value.name + "' stands twice", "unique names");
    }
    program_.values.push_back(std::move(value));
  }

  int32_t Bound(const ordered_json& object, const char* key) const {
    const ordered_json* bound = FindMember(object, key);
    if (bound == nullptr) return 0;
    const int64_t value = RequireInteger(*bound, key, origin_);
    if (value < INT32_MIN || value > INT32_MAX) {
      Refuse(*bound, std::string(key) + " is " + DescribeJson(*bound), "32 bits");
    }
    return static_cast<int32_t>(value);
  }

  void ReadConstant(const ordered_json& object, ProgramValue& value) const {
    const Tensor* tensor = tensors_.Find(kConstantPrefix + value.name);
    if (tensor == nullptr) {
      Refuse(object, "the constant '" + value.name + "' has no tensor",
             "one in the file of tensors");
    }
    if (tensor->dtype() != value.dtype || tensor->shape() != value.shape) {
      Refuse(object,
             "the constant '" + value.name + "' is " +
                 std::string(DTypeName(tensor->dtype())) + " " +
                 ShapeText(tensor->shape()) + " in the file of tensors",
             std::string(DTypeName(value.dtype)) + " " + ShapeText(value.shape));
    }
    value.constant = *tensor;
    if (value.quantization) value.constant->set_quantization(*value.quantization);
  }

  std::vector<int> Values(const ordered_json& object, const char* key,
                          bool may_lack) const {
    std::vector<int> values;
    const ordered_json& names = RequireMember(object, key, origin_);
    for (const ordered_json& name : RequireArray(names, key, origin_)) {
      if (name.is_null() && may_lack) {
        values.push_back(-1);
        continue;
      }
      const auto found = names_.find(RequireString(name, key, origin_));
      if (found == names_.end()) {
        Refuse(name, "there is no value " + DescribeJson(name), "the name of a value");
      }
      values.push_back(found->second);
    }
    return values;
  }

  void RequireMade(const std::vector<int>& values, const ordered_json& where) const {
    for (int value : values) {
      if (value >= 0 && !made_[static_cast<size_t>(value)]) {
        Refuse(where,
               "'" + program_.values[static_cast<size_t>(value)].name +
                   "' is used before a step makes it",
               "steps in execution order");
      }
    }
  }

  void Make(const std::vector<int>& values, const ordered_json& where) {
    for (int value : values) {
      if (made_[static_cast<size_t>(value)]) {
        Refuse(where,
               "'" + program_.values[static_cast<size_t>(value)].name + "' is made twice",
               "one step, input or constant a value");
      }
      made_[static_cast<size_t>(value)] = true;
    }
  }

  std::vector<std::string> Texts(const ordered_json& object, const char* key) const {
    std::vector<std::string> texts;
    const ordered_json& list = RequireMember(object, key, origin_);
    for (const ordered_json& item : RequireArray(list, key, origin_)) {
      texts.push_back(RequireString(item, key, origin_));
    }
    return texts;
  }

  void ReadStep(const ordered_json& object) {
    RequireObject(object, "a step", origin_);
    const bool is_island = FindMember(object, "island") != nullptr;
    std::vector<int> inputs = Values(object, "inputs", !is_island);
    std::vector<int> outputs = Values(object, "outputs", false);
    RequireMade(inputs, object);
    Make(outputs, object);
    if (is_island) {
      RequireOnlyKeys(object, "an island",
                      {"reason", "nodes", "inputs", "outputs", "island"}, origin_);
      GraphJsonOptions options;
      options.unknown_keys = UnknownKeys::kRefuse;
      options.named_tensors = &tensors_;
      program_.steps.emplace_back(FloatIsland{
          GraphModuleFromJson(RequireMember(object, "island", origin_), origin_, options),
          std::move(inputs), std::move(outputs), Texts(object, "nodes"),
          Text(object, "reason")});
      return;
    }
    RequireOnlyKeys(object, "an operator",
                    {"operator", "node", "nodes", "pattern", "attributes", "inputs",
                     "outputs", "scheme"},
                    origin_);
    const std::string& kind_name = Text(object, "operator");
    const std::optional<qc_operator_kind> kind = ParseOperatorKind(kind_name);
    if (!kind) {
      Refuse(object, "there is no operator '" + kind_name + "'", "a kind of the ABI");
    }
    program_.steps.emplace_back(ProgramOperator{
        *kind, AttributesFromJson(RequireMember(object, "attributes", origin_), origin_),
        std::move(inputs), std::move(outputs), Text(object, "scheme"),
        Text(object, "node"), Texts(object, "nodes"),
        FindMember(object, "pattern") == nullptr ? "" : Text(object, "pattern")});
  }

  const JsonOrigin& origin_;
  const OrderedMap<Tensor>& tensors_;
  Program program_;
  std::unordered_map<std::string, int> names_;
  std::vector<bool> made_;
};

}  // namespace

Program ProgramFromJson(const ordered_json& value, const JsonOrigin& origin,
                        const OrderedMap<Tensor>& tensors) {
  return Reader(origin, tensors).Read(value);
}

}  // namespace qconform
