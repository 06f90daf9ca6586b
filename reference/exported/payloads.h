// The tensors of an archive: data/weights and data/constants.
#ifndef QCONFORM_REFERENCE_EXPORTED_PAYLOADS_H_
#define QCONFORM_REFERENCE_EXPORTED_PAYLOADS_H_

#include <functional>
#include <string>

#include "reference/exported/archive.h"
#include "reference/formats/made_graph.h"
#include "reference/ir/ordered_map.h"
#include "reference/ir/tensor.h"

namespace qconform {

// By the names of the parameters, buffers and constants that `config` (a member like
// data/weights/model_weights_config.json) lists, in its order. Tensors that are dense
// stand in the mapped file, those that name the same part of one member share it
// (weights that are tied); others are copied into row-major order.
//
// A member without bytes is one of a program that was exported without weights: `make`
// gives its tensor. Throws InputError "file: member 'config': 'name': ..." on pickled
// objects (which are never opened), on sizes and strides that leave their member, and on
// members without bytes if there is no `make`.
OrderedMap<Tensor> ReadPayloads(Archive& archive, const std::string& config,
                                const TensorMaker& make);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPORTED_PAYLOADS_H_
