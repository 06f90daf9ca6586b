// The reference as a pipeline.
#include "conformance/host/pipeline_folder.h"
#include "reference/convert/convert.h"
#include "reference/ir/error.h"
#include "reference/observe/calibrate.h"
#include "reference/observe/fake_quantize_observer.h"
#include "reference/observe/observer.h"
#include "reference/observe/used_modules.h"

namespace qconform {
namespace {

void WriteOut(const Observer& observer, Module& module) {
  // The class says whether it is fixed, per channel, ...
  module.attributes = {};
  module.attributes.Set("dtype", Argument(observer.dtype));
  module.attributes.Set("is_dynamic", Argument(observer.is_dynamic));
  const auto set = [&](const char* name, const std::optional<int64_t>& value) {
    if (value) module.attributes.Set(name, Argument(*value));
  };
  set("quant_min", observer.quant_min);
  set("quant_max", observer.quant_max);
  for (const char* name : {"min_val", "max_val"}) {
    const OrderedMap<Tensor> buffers = observer.Buffers();
    if (const Tensor* tensor = buffers.Find(name)) module.buffers.Set(name, *tensor);
  }
  try {
    const Qparams qparams = observer.CalculateQparams();
    module.buffers.Set("scale", qparams.scale);
    module.buffers.Set("zero_point", qparams.zero_point);
  } catch (const PipelineError&) {
    // A class without parameters.
  }
}

// As deep as modules nest.
void WriteOutObservers(Module& module) {
  for (auto& [name, child] : module.children) {
    const auto* observer = dynamic_cast<const Observer*>(child->state.get());
    if (observer == nullptr) {
      WriteOutObservers(*child);
      continue;
    }
    const std::shared_ptr<Observer> inner = observer->ActivationPostProcess();
    child->children = {};
    child->buffers = {};
    child->parameters = {};
    WriteOut(inner != nullptr ? *inner : *observer, *child);
  }
}

// One object at several paths stays one.
GraphModule WithObserversWrittenOut(const GraphModule& prepared) {
  GraphModule copy = prepared.Clone();
  WriteOutObservers(*copy.root);
  return copy;
}

// As deep as modules nest.
void SetFakeQuantization(Module& module, bool enabled) {
  for (auto& [name, child] : module.children) {
    auto* fake_quantize = dynamic_cast<FakeQuantizeObserver*>(child->state.get());
    if (fake_quantize != nullptr) fake_quantize->fake_quant_enabled = enabled;
    SetFakeQuantization(*child, enabled);
  }
}

void SetTrainingOf(GraphModule& prepared, bool training) {
  SetTraining(*prepared.root, training);
  SetFakeQuantization(*prepared.root, !training);
}

void Calibrate(const PipelineRequest& request, GraphModule& prepared) {
  if (request.is_qat) SetTrainingOf(prepared, true);
  for (const std::vector<Tensor>& batch : request.calibration) {
    RunObserved(prepared, std::vector<Value>(batch.begin(), batch.end()));
  }
  if (request.is_qat) SetTrainingOf(prepared, false);
}

}  // namespace

PipelineAnswer AnswerByReference(const PipelineRequest& request,
                                 const AnswerHooks& hooks) {
  PipelineAnswer answer;
  std::string stage = "prepare";
  try {
    PrepareOptions options;
    options.is_qat = request.is_qat;
    options.mode = request.mode;
    Prepared prepared =
        PrepareFx(request.graph, request.mapping, request.config, options);
    stage = "calibrate";
    Calibrate(request, prepared.module);
    if (hooks.prepared) hooks.prepared(prepared);
    answer.prepared = WithObserversWrittenOut(prepared.module);
    stage = "convert";
    ConvertOptions convert;
    convert.mode = request.mode;
    convert.engine = request.engine;
    answer.reference = ConvertToReference(prepared, convert);
    if (hooks.reference) hooks.reference(*answer.reference);
  } catch (const PipelineError& error) {
    answer.refusal_stage = stage;
    answer.refusal_error = error.kind();
    answer.refusal_message = error.what();
  } catch (const InputError& error) {
    // What the interpreter cannot run; no class of torch's.
    answer.refusal_stage = stage;
    answer.refusal_error = "InputError";
    answer.refusal_message = error.what();
  }
  return answer;
}

}  // namespace qconform
