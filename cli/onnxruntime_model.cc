#include "cli/onnxruntime_model.h"

#include "conformance/adapters/onnxruntime/model_session.h"

namespace qconform {
namespace {

class OnnxruntimeModel : public bench::PeerModel {
 public:
  OnnxruntimeModel(const OnnxModel& model, int threads, bool exact)
      : session_(model, threads, exact) {}

  std::string version() const override {
    return onnxruntime::RuntimeApi::Get().version();
  }
  void Run(const std::vector<const Tensor*>& inputs) override { session_.Run(inputs); }
  const std::vector<Tensor>& outputs() const override { return session_.outputs(); }

 private:
  onnxruntime::ModelSession session_;
};

}  // namespace

std::unique_ptr<bench::PeerModel> OpenOnnxruntimeModel(const OnnxModel& model,
                                                       int threads, bool exact) {
  return std::make_unique<OnnxruntimeModel>(model, threads, exact);
}

}  // namespace qconform
