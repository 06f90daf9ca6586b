// A whole model in onnxruntime, as its users run it.
#ifndef QCONFORM_CONFORMANCE_ADAPTERS_ONNXRUNTIME_MODEL_SESSION_H_
#define QCONFORM_CONFORMANCE_ADAPTERS_ONNXRUNTIME_MODEL_SESSION_H_

#include <string>
#include <vector>

#include "conformance/adapters/onnxruntime/runtime_api.h"
#include "reference/formats/onnx_model.h"
#include "reference/ir/tensor.h"

namespace qconform::onnxruntime {

class ModelSession {
 public:
  // As RuntimeApi::StartSession. Throws RuntimeError: no library, or onnxruntime's words.
  ModelSession(const OnnxModel& model, int threads, bool exact = false);
  ~ModelSession();
  ModelSession(const ModelSession&) = delete;
  ModelSession& operator=(const ModelSession&) = delete;

  // The model's inputs, in its order, to its outputs, which are this object's and are
  // written by each run. Inputs must be the same objects in every run.
  void Run(const std::vector<const Tensor*>& inputs);
  const std::vector<Tensor>& outputs() const { return outputs_; }

 private:
  Value* Wrap(Tensor& tensor) const;

  const RuntimeApi& api_;
  Session* session_ = nullptr;
  std::vector<std::string> input_names_, output_names_;
  std::vector<const char*> input_texts_, output_texts_;
  std::vector<Value*> input_values_, output_values_;
  std::vector<Tensor> outputs_;
};

}  // namespace qconform::onnxruntime

#endif  // QCONFORM_CONFORMANCE_ADAPTERS_ONNXRUNTIME_MODEL_SESSION_H_
