// Small models for the tests of prepare and convert.
#ifndef QCONFORM_REFERENCE_CONVERT_TEST_MODEL_H_
#define QCONFORM_REFERENCE_CONVERT_TEST_MODEL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference/backends/backends.h"
#include "reference/convert/convert.h"
#include "reference/ir/test_module.h"
#include "reference/observe/calibrate.h"
#include "reference/ops/interpreter.h"
#include "reference/qconfig/test_mapping.h"

namespace qconform {

inline Tensor RealTensor(Shape shape, const std::vector<float>& values) {
  return Tensor::FromVector<float>(DType::kFloat32, std::move(shape), values);
}

// torch.nn.Conv2d or ConvTranspose2d of stride 1; the channels are read from the weight.
inline std::shared_ptr<Module> Conv2d(const std::string& type, Tensor weight,
                                      int64_t padding = 0,
                                      const std::string& padding_mode = "zeros") {
  const auto pair = [](int64_t value) {
    return Argument::Tuple({Argument(value), Argument(value)});
  };
  auto conv = ModuleOf(type);
  const bool transposed = type.find("Transpose") != std::string::npos;
  conv->attributes = {{"in_channels", weight.dim(transposed ? 0 : 1)},
                      {"out_channels", weight.dim(transposed ? 1 : 0)},
                      {"kernel_size", pair(weight.dim(2))},
                      {"stride", pair(1)},
                      {"padding", pair(padding)},
                      {"dilation", pair(1)},
                      {"groups", 1},
                      {"padding_mode", padding_mode},
                      {"output_padding", pair(0)}};
  conv->parameters.Set("weight", std::move(weight));
  conv->parameters.Set("bias", std::nullopt);
  return conv;
}

// torch.nn.BatchNorm2d of one channel, with an eps of 0.
inline std::shared_ptr<Module> BatchNorm2d(float mean, float variance, float weight,
                                           float bias) {
  auto bn = ModuleOf("torch.nn.BatchNorm2d");
  bn->attributes = {{"num_features", 1},
                    {"eps", 0.0},
                    {"momentum", 0.1},
                    {"affine", true},
                    {"track_running_stats", true}};
  bn->parameters.Set("weight", RealTensor({1}, {weight}));
  bn->parameters.Set("bias", RealTensor({1}, {bias}));
  bn->buffers.Set("running_mean", RealTensor({1}, {mean}));
  bn->buffers.Set("running_var", RealTensor({1}, {variance}));
  return bn;
}

// A graph that calls the modules "0", "1", ... one after the other.
inline GraphModule Chain(const std::vector<std::shared_ptr<Module>>& modules) {
  GraphModule model;
  Node* value = model.graph.Append(Op::kPlaceholder, "x");
  for (size_t i = 0; i < modules.size(); ++i) {
    const std::string path = std::to_string(i);
    model.SetModule(path, modules[i]);
    value = model.graph.Append(Op::kCallModule, path, {value});
    model.scopes[value->name()] = {path, modules[i]->type};
  }
  model.graph.Append(Op::kOutput, "output", {value});
  return model;
}

inline std::shared_ptr<const BackendConfig> BuiltIn(const std::string& name) {
  return std::make_shared<BackendConfig>(BuiltInBackendConfig(name));
}

// Prepared for x86 and calibrated with one batch an entry.
inline Prepared Calibrated(const GraphModule& model, const QConfigMapping& mapping,
                           const std::vector<Tensor>& batches, Mode mode,
                           std::shared_ptr<const BackendConfig> config = BuiltIn("x86")) {
  PrepareOptions options;
  options.mode = mode;
  Prepared prepared = PrepareFx(model, mapping, std::move(config), options);
  for (const Tensor& batch : batches) RunObserved(prepared.module, {Value(batch)});
  return prepared;
}

inline GraphModule Converted(const Prepared& prepared, bool is_decomposed = false) {
  ConvertOptions options;
  options.mode = prepared.options.mode;
  options.is_decomposed = is_decomposed;
  return ConvertToReference(prepared, options);
}

// The one tensor that a graph of one input computes.
inline Tensor OutputOf(const GraphModule& module, const Tensor& x) {
  return *Interpreter(module).Run({Value(x)}).As<Tensor>();
}

inline std::vector<double> ValuesOf(const Tensor& tensor) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.numel(); ++i) values.push_back(tensor.ValueAt(i));
  return values;
}

inline size_t CountCalls(const GraphModule& module, const std::string& target) {
  size_t count = 0;
  for (const Node& node : module.graph.nodes()) count += node.target() == target ? 1 : 0;
  return count;
}

inline bool HasKind(const ModeDifferences& differences, const std::string& kind) {
  for (const ModeDifference& difference : differences) {
    if (difference.kind == kind) return true;
  }
  return false;
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONVERT_TEST_MODEL_H_
