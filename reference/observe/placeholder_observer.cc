#include "reference/observe/placeholder_observer.h"

#include "reference/ir/error.h"

namespace qconform {

Qparams BlindObserver::CalculateQparams() const {
  throw PipelineError("Exception", class_name + " has no quantization parameters");
}

PlaceholderObserver::PlaceholderObserver(ObserverArguments& arguments) {
  class_name = arguments.class_name();
  dtype = arguments.TakeDType("dtype", DType::kFloat32);
  qscheme = arguments.TakeQScheme("qscheme", QScheme::kPerTensorAffine);
  quant_min = arguments.TakeInteger("quant_min");
  quant_max = arguments.TakeInteger("quant_max");
  eps = static_cast<float>(arguments.TakeReal("eps").value_or(0x1p-23));
  is_dynamic = arguments.TakeBoolean("is_dynamic", false);
  arguments.Ignore("custom_op_name");
  arguments.Ignore("compute_dtype");
  arguments.RejectOthers();
}

NoopObserver::NoopObserver(ObserverArguments& arguments) {
  class_name = arguments.class_name();
  dtype = arguments.TakeDType("dtype", DType::kFloat16);
  arguments.Ignore("custom_op_name");
  arguments.RejectOthers();
}

ReuseInputObserver::ReuseInputObserver(ObserverArguments& arguments) {
  class_name = arguments.class_name();
  arguments.RejectOthers();
}

}  // namespace qconform
