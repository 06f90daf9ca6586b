// The ABI's operator kinds as text, one spelling for programs, cases and reports.
#ifndef QCONFORM_REFERENCE_LOWER_OPERATOR_KIND_NAMES_H_
#define QCONFORM_REFERENCE_LOWER_OPERATOR_KIND_NAMES_H_

#include <array>
#include <string_view>

#include "kernels/abi/qconform_backend.h"

namespace qconform {

// By qc_operator_kind, from 1 on.
inline constexpr std::array<std::string_view, QC_PAD> kOperatorKindNames = {
    "conv",
    "conv_transpose",
    "linear",
    "matmul",
    "add",
    "sub",
    "mul",
    "relu",
    "relu6",
    "clamp",
    "leaky_relu",
    "prelu",
    "elu",
    "hardswish",
    "hardsigmoid",
    "sigmoid",
    "tanh",
    "gelu",
    "softmax",
    "batch_norm",
    "instance_norm",
    "group_norm",
    "layer_norm",
    "max_pool",
    "avg_pool",
    "adaptive_avg_pool",
    "mean",
    "concat",
    "upsample",
    "pixel_shuffle",
    "pixel_unshuffle",
    "embedding",
    "embedding_bag",
    "lstm",
    "gru",
    "quantize",
    "dequantize",
    "requantize",
    "dynamic_quantize",
    "reshape",
    "transpose",
    "slice",
    "pad"};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LOWER_OPERATOR_KIND_NAMES_H_
