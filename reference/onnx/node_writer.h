// What the families of operators write their nodes with.
#ifndef QCONFORM_REFERENCE_ONNX_NODE_WRITER_H_
#define QCONFORM_REFERENCE_ONNX_NODE_WRITER_H_

#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "reference/onnx/export_program.h"

namespace qconform {

// A model that grows.
class OnnxModelBuilder {
 public:
  explicit OnnxModelBuilder(OnnxExport& result) : result_(result) {}

  // A name that nothing has yet: `wanted`, or with a number behind it.
  std::string Fresh(const std::string& wanted);
  // Adds a node with one new output and returns that.
  std::string Node(const std::string& step, const std::string& op_type,
                   std::vector<std::string> inputs,
                   std::vector<OnnxAttribute> attributes = {});
  std::string Constant(const std::string& wanted, Tensor tensor);
  // Gives the value `name`, made by the last node, to the name `wanted`.
  void Rename(const std::string& step, const std::string& name,
              const std::string& wanted);

  OnnxExport& result() { return result_; }

 private:
  OnnxExport& result_;
  std::unordered_set<std::string> names_;
};

// One operator of a program while its nodes are written.
class NodeWriter {
 public:
  NodeWriter(const Program& program, const ProgramOperator& step, OnnxForm form,
             OnnxModelBuilder& builder)
      : program_(program), step_(step), form_(form), builder_(builder) {}

  const ProgramOperator& step() const { return step_; }
  const qc_attributes& attributes() const { return step_.attributes; }
  OnnxForm form() const { return form_; }
  // Throws OnnxRefusal.
  [[noreturn]] void Refuse(const std::string& reason) const;
  // The scheme that the model follows in the place of the program's.
  void Follow(const std::string& scheme);

  bool HasInput(size_t i) const;
  const ProgramValue& Input(size_t i) const;
  const ProgramValue& Output(size_t i = 0) const;
  // Constant. Throws OnnxRefusal, naming it as `what`, if it is none.
  const Tensor& ConstantInput(size_t i, const char* what) const;

  // Names of values.
  std::string Codes(size_t i) const;  // as the program has it
  std::string Real(size_t i);         // dequantized, or f32 as it is
  std::string Node(const std::string& op_type, std::vector<std::string> inputs,
                   std::vector<OnnxAttribute> attributes = {});
  std::string Constant(const std::string& what, Tensor tensor);
  std::string Scalar(const std::string& what, float value);
  std::string Integers(const std::string& what, const std::vector<int64_t>& values);
  std::string Floats(const std::string& what, const std::vector<float>& values,
                     Shape shape = {});
  // Codes of the dtype of `like`: one, of shape [].
  std::string Code(const std::string& what, int64_t code, DType like);

  // Fused activation on real values.
  std::string Activated(std::string real);
  // The f32 value, quantized if the output is, becomes output 0.
  void StoreReal(const std::string& real);
  // Likewise of codes, which are clipped to `bounds` if these are narrower than the
  // dtype.
  void StoreCodes(const std::string& codes, IntegerRange bounds);
  void Store(const std::string& value, size_t output = 0);

  // Whether input 0 and output 0 have the same codes, so that they may be moved.
  bool MovesCodes() const;
  // Input `i` for an operator that only moves elements, and its result: as codes where
  // MovesCodes and the form allow it.
  std::string Moved(size_t i);
  void StoreMoved(const std::string& value);

  std::string QuantizationScale(const ProgramValue& value, const std::string& what);
  std::string QuantizationZeroPoint(const ProgramValue& value, const std::string& what);

 private:
  const Program& program_;
  const ProgramOperator& step_;
  OnnxForm form_;
  OnnxModelBuilder& builder_;
};

// A value's name, as ONNX has it. Quantized values hold codes.
inline bool IsQuantized(const ProgramValue& value) {
  return value.quantization.has_value();
}
// The codes that a value may take.
IntegerRange CodesOf(const ProgramValue& value);
// Those that remain after the fused activation. Precondition: it is a bound.
IntegerRange FusedCodes(const qc_attributes& attributes, const ProgramValue& output);
// None, ReLU, ReLU6 or clamp: a bound of codes.
bool IsBoundActivation(const qc_attributes& attributes);
// Of one kernel, stride or padding array.
std::vector<int64_t> Spatial(const int64_t (&values)[3], int rank);

// The families. Each throws OnnxRefusal.
void WriteConvolution(NodeWriter& writer);
void WriteLinear(NodeWriter& writer);
void WriteMatmul(NodeWriter& writer);
void WriteBinary(NodeWriter& writer);
void WriteActivation(NodeWriter& writer);
void WriteSoftmax(NodeWriter& writer);
void WritePrelu(NodeWriter& writer);
void WriteBatchNorm(NodeWriter& writer);
void WriteNorm(NodeWriter& writer);
void WriteMaxPool(NodeWriter& writer);
void WriteAveragePool(NodeWriter& writer);
void WriteAdaptivePool(NodeWriter& writer);
void WriteMean(NodeWriter& writer);
void WriteConcat(NodeWriter& writer);
void WriteUpsample(NodeWriter& writer);
void WritePixelShuffle(NodeWriter& writer);
void WriteEmbedding(NodeWriter& writer);
void WriteConversion(NodeWriter& writer);  // quantize, dequantize, requantize
void WriteDynamicQuantize(NodeWriter& writer);
void WriteMovement(NodeWriter& writer);  // reshape, transpose, slice, pad

// Float nodes of the reference graph.
void WriteIsland(const Program& program, const FloatIsland& island,
                 OnnxModelBuilder& builder);

// Shared pieces.
// Applied to real values: kind is one of the activations, with its own parameters.
std::string WriteRealActivation(NodeWriter& writer, qc_operator_kind kind,
                                const std::string& x, float alpha, float minimum,
                                float maximum);
// Pad of the spatial dimensions before a convolution or pooling, or all of them.
std::string WritePadding(NodeWriter& writer, const std::string& x, qc_padding_mode mode,
                         const std::vector<int64_t>& before,
                         const std::vector<int64_t>& after, const std::string& fill);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_ONNX_NODE_WRITER_H_
