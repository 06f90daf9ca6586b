// The quantized modules that lowering puts in the place of reference modules: the
// from_reference constructors of torch.ao.nn.quantized and its relatives. Weights stay
// as quantized tensors in buffers "weight" and "bias", of the child _packed_params where
// torch has that child.
#ifndef QCONFORM_REFERENCE_NATIVE_QUANTIZED_MODULE_H_
#define QCONFORM_REFERENCE_NATIVE_QUANTIZED_MODULE_H_

#include <memory>
#include <string>

#include "reference/ir/module.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

// Scale (float32, no dimensions) and zero point (int64) of a module's output, as the
// quantize node behind it has them.
struct OutputQparams {
  Tensor scale;
  Tensor zero_point;
};

// All of them throw PipelineError where torch refuses; `type` is the quantized class.

// Linear or convolution; `reference` is the reference module, or the fused container
// around it. (nnq.Linear, nnq._ConvNd, nnq._ConvTransposeNd and nniq's from_reference)
std::shared_ptr<Module> MakeStaticWeighted(const std::string& type,
                                           const Module& reference,
                                           const OutputQparams& output,
                                           const std::string& engine);

// (nnqd.Linear, nniqd.LinearReLU)
std::shared_ptr<Module> MakeDynamicLinear(const std::string& type,
                                          const Module& reference,
                                          const std::string& engine);

// (nnqd.LSTM, GRU, and the cells)
std::shared_ptr<Module> MakeDynamicRecurrent(const std::string& type,
                                             const Module& reference,
                                             const std::string& engine);

// (nnq.Embedding, nnq.EmbeddingBag)
std::shared_ptr<Module> MakeQuantizedEmbedding(const std::string& type,
                                               const Module& reference);

// Norms and activations. `qconfig` is the float module's: PReLU observes its slope by
// it.
std::shared_ptr<Module> MakeQuantizedActivation(const std::string& type,
                                                const Module& module,
                                                const OutputQparams& output,
                                                const QConfigPointer& qconfig);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_QUANTIZED_MODULE_H_
