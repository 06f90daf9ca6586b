// Exported programs and quantizers for the tests in this folder.
#ifndef QCONFORM_REFERENCE_PT2E_TEST_PROGRAM_H_
#define QCONFORM_REFERENCE_PT2E_TEST_PROGRAM_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "reference/ir/error.h"
#include "reference/pt2e/quantizer.h"

namespace qconform {

// Builds a program node by node; every node has a tensor of that shape.
class TestProgram {
 public:
  ExportedProgram program;

  Node* Input(const std::string& name, const std::vector<int64_t>& shape) {
    return Known(program.module.graph.Append(Op::kPlaceholder, name, {}, {}, name),
                 shape);
  }
  Node* Parameter(const std::string& name, Tensor value) {
    const std::vector<int64_t> shape(value.shape().begin(), value.shape().end());
    program.module.root->parameters.Set(name, std::move(value));
    return Known(program.module.graph.Append(Op::kGetAttr, name), shape);
  }
  Node* Call(const std::string& target, std::vector<Argument> args,
             const std::string& name, const std::vector<int64_t>& shape) {
    return Known(
        program.module.graph.Append(Op::kCallFunction, target, std::move(args), {}, name),
        shape);
  }
  void Output(Node* value) {
    program.module.graph.Append(Op::kOutput, "output", {Argument::Tuple({value})}, {},
                                "output");
  }

 private:
  Node* Known(Node* node, const std::vector<int64_t>& shape) {
    NodeMetadata& metadata = program.metadata[node->name()];
    metadata.kind = ValueKind::kTensor;
    metadata.tensors.resize(1);
    for (const int64_t size : shape) metadata.tensors[0].shape.push_back({size, ""});
    return node;
  }
};

// A quantizer that is one function.
class AnnotateWith : public Quantizer {
 public:
  using Function = std::function<void(const ExportedProgram&, Annotations&)>;
  explicit AnnotateWith(Function annotate) : annotate_(std::move(annotate)) {}
  void Annotate(const ExportedProgram& program, Annotations& annotations) override {
    annotate_(program, annotations);
  }

 private:
  Function annotate_;
};

// int8 of all 256 codes, per tensor, by the observer's class.
inline QuantizationSpecPointer Int8(const std::string& observer = "MinMaxObserver") {
  QuantizationSpec spec;
  spec.dtype = DType::kInt8;
  spec.quant_min = -128;
  spec.quant_max = 127;
  spec.qscheme = QScheme::kPerTensorAffine;
  spec.observer = ObserverConstructor(observer);
  return MakeSpec(spec);
}

inline Tensor Floats(Shape shape, std::vector<float> values) {
  return Tensor::FromVector<float>(DType::kFloat32, std::move(shape), values);
}

// "KIND: MESSAGE" of a refusal, empty if there is none.
template <typename Run>
std::string RefusalOf(const Run& run) {
  try {
    run();
  } catch (const PipelineError& error) {
    return error.kind() + ": " + error.what();
  }
  return "";
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_TEST_PROGRAM_H_
