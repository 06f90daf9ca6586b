#include "reference/observe/fixed_qparams_observer.h"

#include "reference/ir/error.h"
#include "reference/observe/uniform_observer.h"

namespace qconform {

FixedQParamsObserver::FixedQParamsObserver(ObserverArguments& arguments) {
  class_name = arguments.class_name();
  const std::optional<double> scale = arguments.TakeReal("scale");
  const std::optional<int64_t> zero_point = arguments.TakeInteger("zero_point");
  if (!scale || !zero_point) {
    throw PipelineError("TypeError", class_name + " needs scale and zero_point");
  }
  scale_ = static_cast<float>(*scale);
  zero_point_ = static_cast<int32_t>(*zero_point);
  dtype = arguments.TakeDType("dtype", DType::kQUInt8);
  qscheme = arguments.TakeQScheme("qscheme", QScheme::kPerTensorAffine);
  quant_min = arguments.TakeInteger("quant_min").value_or(0);
  quant_max = arguments.TakeInteger("quant_max").value_or(255);
  RefuseDynamic(arguments);
  arguments.RejectOthers();
}

Qparams FixedQParamsObserver::CalculateQparams() const {
  return {Tensor::FromVector<float>(DType::kFloat32, {1}, {scale_}),
          Tensor::FromVector<int32_t>(DType::kInt32, {1}, {zero_point_})};
}

OrderedMap<Tensor> FixedQParamsObserver::Buffers() const {
  const Qparams qparams = CalculateQparams();
  return {{"scale", qparams.scale}, {"zero_point", qparams.zero_point}};
}

bool FixedQParamsObserver::SetBuffer(const std::string& name, const Tensor& value) {
  if (name == "scale") {
    scale_ = SingleValue(name, value);
  } else if (name == "zero_point") {
    zero_point_ = static_cast<int32_t>(SingleValue(name, value));
  } else {
    return false;
  }
  return true;
}

}  // namespace qconform
