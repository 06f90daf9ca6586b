// Owned ABI tensors for tests.
#ifndef QCONFORM_REFERENCE_NUMERICS_TEST_TENSOR_H_
#define QCONFORM_REFERENCE_NUMERICS_TEST_TENSOR_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/describe.h"
#include "reference/numerics/scalar_operator.h"

namespace qconform {

class TestTensor {
 public:
  // Dense unless `order` lists the dimensions from the outermost in memory on; gap
  // bytes lie between innermost elements.
  TestTensor(qc_dtype dtype, std::vector<int64_t> shape, std::vector<int> order = {},
             int64_t gap = 0) {
    tensor_.size = sizeof(qc_tensor);
    tensor_.dtype = dtype;
    tensor_.rank = static_cast<int32_t>(shape.size());
    tensor_.quantized_axis = -1;
    if (order.empty()) {
      for (size_t i = 0; i < shape.size(); ++i) order.push_back(static_cast<int>(i));
    }
    int64_t step = ElementBytes(dtype) + gap;
    for (size_t i = shape.size(); i-- > 0;) {
      const auto axis = static_cast<size_t>(order[i]);
      tensor_.shape[axis] = shape[axis];
      tensor_.stride[axis] = step;
      step *= shape[axis];
    }
    data_.resize(static_cast<size_t>(step) + 8);
    tensor_.data = data_.data();
  }

  static TestTensor Codes(qc_dtype dtype, std::vector<int64_t> shape,
                          const std::vector<int32_t>& codes, float scale,
                          int32_t zero_point, std::vector<int> order = {},
                          int64_t gap = 0) {
    TestTensor tensor(dtype, std::move(shape), std::move(order), gap);
    tensor.Quantize({scale}, {zero_point});
    WriteIntegers(tensor.tensor_, codes);
    return tensor;
  }
  static TestTensor Real(std::vector<int64_t> shape, const std::vector<float>& values) {
    TestTensor tensor(QC_F32, std::move(shape));
    WriteReal(tensor.tensor_, values, *ParseScheme(kRealSchemeName));
    return tensor;
  }

  void Quantize(std::vector<float> scales, std::vector<int32_t> zero_points,
                int axis = -1) {
    scales_ = std::move(scales);
    zero_points_ = std::move(zero_points);
    tensor_.scale = scales_.data();
    tensor_.zero_point = zero_points_.data();
    tensor_.qparam_count = static_cast<int64_t>(scales_.size());
    tensor_.quantized_axis = axis;
  }

  // One scale and float zero point a row.
  void QuantizeRows(std::vector<float> scales, std::vector<float> zero_points) {
    Quantize(std::move(scales), {}, 0);
    real_zero_points_ = std::move(zero_points);
    tensor_.zero_point = nullptr;
    tensor_.zero_point_f32 = real_zero_points_.data();
  }

  qc_tensor& get() { return tensor_; }
  std::vector<int32_t> integers() const { return ReadIntegers(tensor_); }
  std::vector<float> real() const { return ReadReal(tensor_); }

  TestTensor(TestTensor&&) = default;
  TestTensor& operator=(TestTensor&&) = default;
  TestTensor(const TestTensor&) = delete;

 private:
  qc_tensor tensor_{};
  std::vector<float> scales_;
  std::vector<int32_t> zero_points_;
  std::vector<float> real_zero_points_;
  std::vector<std::byte> data_;
};

inline qc_attributes EmptyAttributes() {
  qc_attributes attributes{};
  attributes.size = sizeof attributes;
  return attributes;
}

struct TestRun {
  qc_status status;
  std::string reason;
  ScalarReport report;
};

// Runs under `scheme`; "" leaves the choice to the definition.
inline TestRun RunOperator(qc_operator_kind kind, const qc_attributes& attributes,
                           const std::vector<TestTensor*>& inputs,
                           const std::vector<TestTensor*>& outputs,
                           const std::string& scheme = "") {
  std::vector<const qc_tensor*> in;
  for (TestTensor* input : inputs) in.push_back(input ? &input->get() : nullptr);
  std::vector<qc_tensor*> out;
  for (TestTensor* output : outputs) out.push_back(&output->get());
  const std::vector<const qc_tensor*> described(out.begin(), out.end());
  qc_descriptor descriptor = Descriptor(kind, attributes, in, described);
  descriptor.scheme = scheme.empty() ? nullptr : scheme.c_str();
  TestRun run{};
  DefinesOperator(descriptor, &run.reason);
  run.status = RunScalarOperator(descriptor, in, out, &run.report);
  return run;
}

inline TestRun RunOperator(qc_operator_kind kind, const qc_attributes& attributes,
                           const std::vector<TestTensor*>& inputs, TestTensor& output,
                           const std::string& scheme = "") {
  return RunOperator(kind, attributes, inputs, std::vector<TestTensor*>{&output}, scheme);
}

using Codes = std::vector<int32_t>;

// All 256 codes of u8 or s8, shuffled: (73 n + 19 + seed) mod 256, from `least` on. Torch
// was given the same ones.
inline Codes PatternCodes(int64_t count, int32_t seed = 0, int32_t least = 0) {
  Codes codes;
  for (int64_t n = 0; n < count; ++n) {
    codes.push_back(static_cast<int32_t>((73 * n + 19 + seed) % 256) + least);
  }
  return codes;
}

// ((37 n + 11 seed) mod 61 - 30) / 16
inline std::vector<float> PatternReal(int64_t count, int32_t seed = 0) {
  std::vector<float> values;
  for (int64_t n = 0; n < count; ++n) {
    values.push_back(static_cast<float>((37 * n + 11 * seed) % 61 - 30) / 16.0f);
  }
  return values;
}

// Stride, dilation and groups of one.
inline qc_attributes ConvAttributes(int spatial, int64_t padding) {
  qc_attributes attributes = EmptyAttributes();
  attributes.spatial_rank = spatial;
  attributes.groups = 1;
  for (int i = 0; i < spatial; ++i) {
    attributes.stride[i] = attributes.dilation[i] = 1;
    attributes.padding_before[i] = attributes.padding_after[i] = padding;
  }
  return attributes;
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_TEST_TENSOR_H_
