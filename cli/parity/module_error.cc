#include "cli/parity/module_error.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/parity/error_rules.h"
#include "reference/config/module_types.h"
#include "reference/observe/fake_quantize_observer.h"
#include "reference/observe/observer_module.h"

namespace qconform::parity {

Value Unbounded(const Value& value) {
  if (const Tensor* tensor = value.As<Tensor>()) {
    Tensor error(DType::kFloat32, tensor->shape());
    std::fill_n(error.data<float>(), error.numel(),
                std::numeric_limits<float>::infinity());
    return error;
  }
  const ValueSequence* sequence = value.As<ValueSequence>();
  if (sequence == nullptr) return {};
  ValueSequence errors{{}, sequence->is_tuple};
  for (const Value& item : sequence->items) errors.items.push_back(Unbounded(item));
  return errors;
}

std::shared_ptr<Module> LargestModule(const Module& module) {
  auto largest = std::make_shared<Module>();
  const std::string reference = "torch.ao.nn.quantized.reference.";
  largest->type = module.type.starts_with(reference)
                      ? "torch.nn." + module.type.substr(reference.size())
                      : module.type;
  largest->attributes = module.attributes;
  largest->attributes.Erase("freeze_bn");
  double step = 0;
  if (IsQatModule(module.type)) {
    largest->type = FindModuleType(module.type)->weighted_module;
    const auto* child = module.children.Find("weight_fake_quant");
    const auto* fake_quantize =
        dynamic_cast<const FakeQuantizeObserver*>(ObserverOf(*child).get());
    // A plain observer in its place leaves the weight as it is.
    const Tensor scale = fake_quantize == nullptr ? Tensor() : fake_quantize->scale();
    for (int64_t i = 0; i < scale.numel(); ++i) {
      step = std::max(step, scale.ValueAt(i));
    }
  }
  if (const Tensor* scale = module.FindTensor("weight_scale")) {
    for (int64_t i = 0; i < scale->numel(); ++i) {
      step = std::max(step, scale->ValueAt(i));
    }
    // fp16 weights keep a neutral scale of 1; they move by a relative 2^-11.
    if (module.Text("weight_dtype", "") == "torch.float16") step = 0x1p-11;
  }
  for (const auto& [name, tensor] : module.parameters) {
    if (!tensor) {
      largest->parameters.Set(name, std::nullopt);
      continue;
    }
    Tensor value = Absolute(*tensor);
    for (int64_t i = 0; i < value.numel() && name == "weight"; ++i) {
      value.data<float>()[i] += static_cast<float>(step);
    }
    largest->parameters.Set(name, value);
  }
  return largest;
}

bool IsNative(const std::string& operation) {
  if (operation.starts_with("quantized.")) return true;
  return (operation.starts_with("torch.ao.nn.quantized.") ||
          operation.starts_with("torch.ao.nn.intrinsic.quantized.")) &&
         operation.find(".reference.") == std::string::npos;
}

double LargestSize(const Value& value) {
  double largest = 0;
  if (const Tensor* tensor = FloatTensor(value)) {
    for (int64_t i = 0; i < tensor->numel(); ++i) {
      largest = std::max(largest, std::fabs(tensor->ValueAt(i)));
    }
  }
  return largest;
}

Value DynamicLinearError(const Module& module, const Value& value) {
  const auto* packed = module.children.Find("_packed_params");
  const Tensor* bias =
      packed == nullptr || !*packed ? nullptr : (*packed)->FindTensor("bias");
  const double size = bias == nullptr ? 0 : LargestSize(*bias);
  return MapTensors(value, {}, [&](const Tensor& tensor, const Tensor*) {
    Tensor error(DType::kFloat32, tensor.shape());
    for (int64_t i = 0; i < tensor.numel(); ++i) {
      error.data<float>()[i] = static_cast<float>(
          kFunctionRounding * (std::fabs(tensor.ValueAt(i)) + 2 * size));
    }
    return error;
  });
}

}  // namespace qconform::parity
