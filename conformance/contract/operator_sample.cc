#include "conformance/contract/operator_sample.h"

#include <map>
#include <unordered_map>

#include "datasets/fills.h"
#include "reference/config/module_types.h"
#include "reference/formats/argument_json.h"
#include "reference/ir/error.h"
#include "reference/ops/registry.h"

namespace qconform {
namespace {

struct FunctionRow {
  const char* shape;
  Domain domain;
  const char* arguments;
};

struct ModuleRow {
  const char* shape;
  Domain domain;
  const char* attributes;
  const char* tensors;
};

const std::unordered_map<std::string, FunctionRow>& FunctionRows() {
  static const auto* const rows = new std::unordered_map<std::string, FunctionRow>{
#define FUNCTION(name, input, domain, arguments) \
  {name, {#input, Domain::domain, arguments}},
#include "conformance/contract/function_samples.inc"
#undef FUNCTION
  };
  return *rows;
}

const std::unordered_map<std::string, ModuleRow>& ModuleRows() {
  static const auto* const rows = new std::unordered_map<std::string, ModuleRow>{
#define MODULE(name, input, domain, attributes, tensors) \
  {name, {#input, Domain::domain, attributes, tensors}},
#include "conformance/contract/module_samples.inc"
#undef MODULE
  };
  return *rows;
}

Shape ShapeOf(const std::string& name) {
  static const std::map<std::string, Shape> shapes = {
      {"flat", {2, 4}},     {"square", {4, 4}},      {"1d", {2, 4, 4}},
      {"2d", {2, 4, 4, 4}}, {"3d", {1, 4, 4, 4, 4}}, {"sequence", {3, 2, 4}}};
  return shapes.at(name);
}

bool IsVariance(const std::string& name) { return name == "running_var"; }

std::shared_ptr<Module> MakeModule(const std::string& type, const ModuleRow& row) {
  auto module = std::make_shared<Module>();
  module->type = type;
  const ordered_json attributes = ordered_json::parse(row.attributes);
  for (const auto& [name, value] : attributes.items()) {
    module->attributes.Set(name, ArgumentFromJson(value));
  }
  const ordered_json tensors = ordered_json::parse(row.tensors);
  for (const auto& [name, value] : tensors.items()) {
    const Shape shape = value.get<Shape>();
    const bool buffer = name.starts_with("running_") || name.starts_with("num_");
    const Tensor tensor =
        name == "num_batches_tracked"
            ? Tensor(DType::kInt64, shape)
            : SampleParameter(type + "." + name, shape, row.domain == Domain::kNorm,
                              module->Real("eps", 0));
    (buffer ? module->buffers : module->parameters).Set(name, tensor);
  }
  return module;
}

// A class of torch.ao.nn.intrinsic as a container of its children.
OperatorSample FusedSample(const ModuleType& type) {
  OperatorSample sample;
  sample.arguments = {"$in"};
  sample.module = std::make_shared<Module>();
  sample.module->type = type.name;
  for (size_t i = 0; i < type.children.size(); ++i) {
    OperatorSample child = FindOperatorSample(type.children[i], true);
    if (i == 0) {
      sample.input = child.input;
      sample.domain = child.domain;
    }
    sample.module->children.Set(std::to_string(i), child.module);
  }
  // The addition takes a second operand.
  if (type.name.find(".ConvAdd") != std::string::npos) sample.arguments.push_back("$in");
  if (type.name.ends_with(".ConvAddReLU2d")) {
    sample.module->children.Set("relu", FindOperatorSample("torch.nn.ReLU", true).module);
  }
  return sample;
}

}  // namespace

OperatorSample FindOperatorSample(const std::string& name, bool is_module) {
  OperatorSample sample;
  sample.arguments = {"$in"};
  if (!is_module) {
    if (auto row = FunctionRows().find(name); row != FunctionRows().end()) {
      sample.input = ShapeOf(row->second.shape);
      sample.domain = row->second.domain;
      sample.arguments = ordered_json::parse(row->second.arguments);
    } else {
      sample.input = ShapeOf("2d");
    }
    return sample;
  }
  if (auto row = ModuleRows().find(name); row != ModuleRows().end()) {
    sample.input = ShapeOf(row->second.shape);
    sample.domain = row->second.domain;
    sample.module = MakeModule(name, row->second);
    return sample;
  }
  const ModuleType* type = FindModuleType(name);
  if (type != nullptr && !type->children.empty()) return FusedSample(*type);
  if (Registry::BuiltIn().FindModule(name) == nullptr) {
    throw InputError(name, "a contract case cannot be made of this class",
                     "one of conformance/contract/module_samples.inc, or one without "
                     "parameters that the interpreter knows");
  }
  sample.input = ShapeOf("2d");
  sample.module = std::make_shared<Module>();
  sample.module->type = name;
  return sample;
}

Tensor SampleTensor(Domain domain, const Shape& shape, const std::string& key) {
  const FillStream stream("contract", key);
  const bool index = domain == Domain::kIndex;
  Tensor tensor(index ? DType::kInt64 : DType::kFloat32, shape);
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    const uint64_t word = stream.At(static_cast<uint64_t>(i)) >> 33;
    if (index) {
      tensor.data<int64_t>()[i] = static_cast<int64_t>(word % 8);
      continue;
    }
    float& value = tensor.data<float>()[i];
    switch (domain) {
      case Domain::kPlain:
        value = 0.25F * static_cast<float>(static_cast<int64_t>(word % 17) - 8);
        break;
      case Domain::kSaturate:
        value = 200.F * static_cast<float>(static_cast<int64_t>(word % 3) - 1);
        break;
      case Domain::kThirds:
        // No 0, whose hardswish is 0 beside the -0 of -3: which of them is the least
        // depends on the order of comparison.
        value = word % 3 == 0 ? -3.F : 3.F * static_cast<float>(word % 3);
        break;
      case Domain::kNorm:
      case Domain::kIndex:
        value = i % 2 == 0 ? 0.5F : -0.5F;
        break;
    }
  }
  return tensor;
}

Tensor SampleParameter(const std::string& path, const Shape& shape, bool unit,
                       double eps) {
  const FillStream stream("contract", path);
  const std::string name = path.substr(path.rfind('.') + 1);
  Tensor tensor(DType::kFloat32, shape);
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    const uint64_t word = stream.At(static_cast<uint64_t>(i)) >> 33;
    float& value = tensor.data<float>()[i];
    if (IsVariance(name)) {
      value = static_cast<float>(0.25 - eps);
    } else if (unit) {
      value = name.starts_with("weight") ? 1.F : 0.F;
    } else {
      value = 0.125F * static_cast<float>(static_cast<int64_t>(word % 15) - 7);
    }
  }
  return tensor;
}

}  // namespace qconform
