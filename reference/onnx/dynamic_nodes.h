// Input 0, quantized to u8 when the model runs.
#ifndef QCONFORM_REFERENCE_ONNX_DYNAMIC_NODES_H_
#define QCONFORM_REFERENCE_ONNX_DYNAMIC_NODES_H_

#include <string>

#include "reference/onnx/node_writer.h"

namespace qconform {

// Names of values: u8 codes of input 0's shape, a float and a u8 of shape [].
struct DynamicNames {
  std::string codes;
  std::string scale;
  std::string zero_point;
};

// Throws OnnxRefusal for an input without elements.
DynamicNames WriteDynamicCodes(NodeWriter& writer);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_ONNX_DYNAMIC_NODES_H_
