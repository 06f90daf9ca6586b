// A lowered program as an ONNX model of standard operators, so that any runtime can be
// judged.
#ifndef QCONFORM_REFERENCE_ONNX_EXPORT_PROGRAM_H_
#define QCONFORM_REFERENCE_ONNX_EXPORT_PROGRAM_H_

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "reference/formats/onnx_model.h"
#include "reference/ir/error.h"
#include "reference/lower/program.h"

namespace qconform {

enum class OnnxForm {
  // DequantizeLinear, the float operator, QuantizeLinear. Says what is meant, and leaves
  // the arithmetic to the runtime. A real bias stays real.
  kQdq,
  // QLinearConv and QLinearMatMul; codes are moved without any conversion where input and
  // output agree. A bias is rounded to the accumulator's units, as QLinearConv wants it.
  kOperator,
  // ConvInteger and MatMulInteger, with the requantization spelled out: the model holds
  // the scheme itself, f32/one/even with either bias.
  kInteger,
};

// "qdq", "operator", "integer".
std::optional<OnnxForm> ParseOnnxForm(std::string_view name);

// Standard ONNX of opset 17 has nothing for it. what(): one line with the node's name.
class OnnxRefusal : public InputError {
 public:
  OnnxRefusal(const std::string& node, const std::string& reason)
      : InputError("node '" + node + "'", reason), reason_(reason) {}
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

struct OnnxExport {
  OnnxModel model;
  // By node: the scheme that the model follows, where it is not the program's.
  std::unordered_map<std::string, std::string> schemes;
};

// Inputs and outputs are those of the program, in its order; values keep their names, and
// nodes are named after the program's. Operators that a form has no word for are written
// as in kQdq. Throws OnnxRefusal for the first step that cannot be expressed.
OnnxExport ExportProgram(const Program& program, const std::string& name, OnnxForm form);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_ONNX_EXPORT_PROGRAM_H_
