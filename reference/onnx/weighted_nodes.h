// What the float and the integer nodes of convolutions and linear layers share.
#ifndef QCONFORM_REFERENCE_ONNX_WEIGHTED_NODES_H_
#define QCONFORM_REFERENCE_ONNX_WEIGHTED_NODES_H_

#include <string>
#include <vector>

#include "reference/onnx/node_writer.h"

namespace qconform {

// kernel_shape, strides, pads, dilations and group.
std::vector<OnnxAttribute> ConvolutionAttributes(const NodeWriter& writer);
// Behind a Pad node unless the border is zero, which the operator fills itself.
std::string PaddedInput(NodeWriter& writer, const std::string& x);
// The bias in real units; "" for none.
std::string RealBias(NodeWriter& writer);

// These write nothing and answer false where the form, the scheme or the operands are
// not theirs.
bool WriteIntegerConvolution(NodeWriter& writer);
bool WriteIntegerLinear(NodeWriter& writer);
bool WriteQLinearMatmul(NodeWriter& writer);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_ONNX_WEIGHTED_NODES_H_
