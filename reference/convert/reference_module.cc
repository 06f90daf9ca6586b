#include "reference/convert/reference_module.h"

#include "reference/ir/error.h"
#include "reference/observe/make_observer.h"
#include "reference/ops/weight_quantization.h"

namespace qconform {
namespace {

Tensor Int32Scalar(int32_t value) {
  return Tensor::FromVector<int32_t>(DType::kInt32, {}, {value});
}

// What an observer says about a weight. (get_qparam_dict)
struct WeightParameters {
  std::string qscheme = "None";
  DType dtype;
  std::optional<Qparams> qparams;
  int axis = 0;
  Argument quant_min;
  Argument quant_max;

  bool IsPerChannel() const { return qscheme.starts_with("torch.per_channel"); }
};

WeightParameters ParametersOf(const Observer& observer, Mode mode) {
  WeightParameters parameters;
  parameters.dtype = observer.dtype;
  // Noop observers have no scheme, a placeholder's is not used.
  if (observer.class_name == "PlaceholderObserver" ||
      observer.class_name == "NoopObserver") {
    return parameters;
  }
  parameters.qscheme = "torch." + std::string(QSchemeName(observer.qscheme));
  if (mode == Mode::kTorch && IsSymmetric(observer.qscheme)) {
    parameters.qscheme = IsPerChannel(observer.qscheme) ? "torch.per_channel_affine"
                                                        : "torch.per_tensor_affine";
  }
  if (parameters.IsPerChannel()) parameters.axis = observer.ch_axis;
  parameters.qparams = observer.CalculateQparams();
  if (observer.quant_min) parameters.quant_min = *observer.quant_min;
  if (observer.quant_max) parameters.quant_max = *observer.quant_max;
  return parameters;
}

std::string DTypeText(DType dtype) { return "torch." + std::string(DTypeName(dtype)); }

std::shared_ptr<Module> CopyAs(const std::string& type, const Module& float_module) {
  auto module = std::make_shared<Module>();
  module->type = type;
  module->attributes = float_module.attributes;
  module->parameters = float_module.parameters;
  module->buffers = float_module.buffers;
  return module;
}

// Only quantized tensors get their parameters; torch registers neutral ones for every
// other dtype, plain integers included.
bool KeepsParameters(DType dtype) {
  return dtype == DType::kQUInt8 || dtype == DType::kQInt8 || dtype == DType::kQUInt4x2 ||
         dtype == DType::kQInt32;
}

// Plain integers have no quantized tensor, so that the module would compute with the
// float weight, or fail.
void RefusePlainIntegers(DType dtype) {
  if (KeepsParameters(dtype) || IsFloatingDType(dtype)) return;
  throw PipelineError("ValueError", "no reference module quantizes its weight to " +
                                        std::string(DTypeName(dtype)));
}

void RunOnWeight(Observer& observer, const Module& module, const std::string& name) {
  const Tensor* weight = module.FindTensor(name);
  if (weight != nullptr) observer.Forward(*weight);
}

}  // namespace

std::shared_ptr<Module> MakeReferenceModule(const std::string& type,
                                            const Module& float_module,
                                            const Observer& observer, bool is_decomposed,
                                            Mode mode) {
  const WeightParameters parameters = ParametersOf(observer, mode);
  if (mode == Mode::kStrict) RefusePlainIntegers(parameters.dtype);
  const std::shared_ptr<Module> module = CopyAs(type, float_module);
  const bool keeps = KeepsParameters(parameters.dtype);
  if (keeps && !parameters.qparams) throw PipelineError("KeyError", "zero_point");
  const int axis = keeps && parameters.IsPerChannel() ? parameters.axis : 0;
  module->attributes.Set("weight_qscheme", parameters.qscheme);
  module->attributes.Set("weight_dtype", DTypeText(parameters.dtype));
  module->attributes.Set("weight_axis_int", axis);
  module->attributes.Set("weight_quant_min", parameters.quant_min);
  module->attributes.Set("weight_quant_max", parameters.quant_max);
  module->attributes.Set("is_decomposed", is_decomposed);
  if (mode == Mode::kStrict) module->attributes.Set(kAsDeclared, true);
  module->buffers.Set("weight_scale",
                      keeps ? parameters.qparams->scale
                            : Tensor::FromVector<float>(DType::kFloat32, {}, {1.0f}));
  module->buffers.Set("weight_zero_point",
                      keeps ? parameters.qparams->zero_point : Int32Scalar(0));
  module->buffers.Set("weight_axis", Int32Scalar(axis));
  return module;
}

std::shared_ptr<Module> MakeReferenceRecurrentModule(const std::string& type,
                                                     const Module& float_module,
                                                     const QConfig& qconfig,
                                                     bool is_decomposed, Mode mode) {
  const std::shared_ptr<Module> module = CopyAs(type, float_module);
  module->attributes.Set("is_decomposed", is_decomposed);
  if (mode == Mode::kStrict) module->attributes.Set(kAsDeclared, true);
  const bool is_layer = IsRecurrentLayer(float_module.type);
  for (const auto& [name, weight] : float_module.parameters) {
    if (!name.starts_with("weight") || !weight) continue;
    const std::shared_ptr<Observer> observer = MakeObserver(*qconfig.weight, mode);
    // torch runs a layer's observers for qint8 weights only.
    if (!is_layer || observer->dtype == DType::kQInt8 || mode == Mode::kStrict) {
      RunOnWeight(*observer, float_module, name);
    }
    const WeightParameters parameters = ParametersOf(*observer, mode);
    module->attributes.Set(name + "_qscheme", parameters.qscheme);
    module->attributes.Set(name + "_dtype", DTypeText(parameters.dtype));
    if (!parameters.qparams) continue;
    if (parameters.qscheme == "torch.per_channel_affine_float_qparams") {
      throw PipelineError("AssertionError",
                          "a recurrent module's weight cannot have float qparams");
    }
    module->buffers.Set(name + "_scale", parameters.qparams->scale);
    Tensor zero_point = parameters.qparams->zero_point;
    if (is_layer) {
      Tensor narrow(DType::kInt32, zero_point.shape());
      for (int64_t i = 0; i < zero_point.numel(); ++i) {
        narrow.data<int32_t>()[i] = static_cast<int32_t>(zero_point.IntegerAt(i));
      }
      zero_point = narrow;
    }
    module->buffers.Set(name + "_zero_point", zero_point);
    module->buffers.Set(name + "_axis", Int32Scalar(parameters.axis));
    module->attributes.Set(name + "_axis_int", parameters.axis);
  }
  return module;
}

bool IsRecurrentCell(const std::string& type) {
  return type == "torch.nn.RNNCell" || type == "torch.nn.LSTMCell" ||
         type == "torch.nn.GRUCell";
}

bool IsRecurrentLayer(const std::string& type) {
  return type == "torch.nn.LSTM" || type == "torch.nn.GRU";
}

}  // namespace qconform
