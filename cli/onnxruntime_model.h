// onnxruntime as the peer of `bench --model`.
#ifndef QCONFORM_CLI_ONNXRUNTIME_MODEL_H_
#define QCONFORM_CLI_ONNXRUNTIME_MODEL_H_

#include <memory>

#include "bench/model/peer_model.h"

namespace qconform {

// A bench::OpenPeerModel.
std::unique_ptr<bench::PeerModel> OpenOnnxruntimeModel(const OnnxModel& model,
                                                       int threads, bool exact);

}  // namespace qconform

#endif  // QCONFORM_CLI_ONNXRUNTIME_MODEL_H_
