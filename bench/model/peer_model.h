// A model in somebody else's runtime.
#ifndef QCONFORM_BENCH_MODEL_PEER_MODEL_H_
#define QCONFORM_BENCH_MODEL_PEER_MODEL_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reference/formats/onnx_model.h"
#include "reference/ir/tensor.h"

namespace qconform::bench {

class PeerModel {
 public:
  virtual ~PeerModel() = default;

  virtual std::string version() const = 0;
  // `inputs`: the model's, in its order, the same objects in every run.
  virtual void Run(const std::vector<const Tensor*>& inputs) = 0;
  // Of the last run.
  virtual const std::vector<Tensor>& outputs() const = 0;
};

// `exact`: without sums that saturate. Throws std::runtime_error that says why not.
using OpenPeerModel = std::function<std::unique_ptr<PeerModel>(const OnnxModel& model,
                                                               int threads, bool exact)>;

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_MODEL_PEER_MODEL_H_
