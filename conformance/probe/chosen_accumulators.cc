#include "conformance/probe/chosen_accumulators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace qconform {
namespace {

// An accumulator is kCoarse * (sum of coarse terms) + one fine term.
constexpr int32_t kCoarse = 64;
constexpr int32_t kLargestTerm = 127;
constexpr size_t kVector = 8;  // terms come in whole vectors

// x less its zero point in rows, one accumulator each; all rows share the weights.
struct Operands {
  std::vector<std::vector<int16_t>> rows;
  std::vector<int16_t> weights;
};

Operands OperandsOf(const std::vector<int32_t>& accumulators) {
  int64_t largest = 0;
  for (const int32_t each : accumulators)
    largest = std::max(largest, std::abs(int64_t{each}));
  const auto coarse =
      static_cast<size_t>((largest + kCoarse / 2) / (kCoarse * kLargestTerm)) + 1;
  const size_t terms = (coarse + 1 + kVector - 1) / kVector * kVector;
  Operands operands;
  operands.weights.assign(terms, 0);
  std::fill_n(operands.weights.begin(), coarse, static_cast<int16_t>(kCoarse));
  operands.weights[coarse] = 1;
  for (const int32_t accumulator : accumulators) {
    std::vector<int16_t> row(terms, 0);
    const int64_t shifted = int64_t{accumulator} + kCoarse / 2;
    const int64_t rest = (shifted % kCoarse + kCoarse) % kCoarse - kCoarse / 2;
    int64_t sum = (accumulator - rest) / kCoarse;
    for (size_t i = 0; i < coarse; ++i) {
      const int64_t term =
          std::clamp<int64_t>(sum, -int64_t{kLargestTerm}, int64_t{kLargestTerm});
      row[i] = static_cast<int16_t>(term);
      sum -= term;
    }
    row[coarse] = static_cast<int16_t>(rest);
    operands.rows.push_back(std::move(row));
  }
  return operands;
}

template <typename Value>
CallTensor ConstantOf(qc_dtype dtype, Value value) {
  CallTensor tensor;
  tensor.dtype = dtype;
  tensor.shape = {1};
  tensor.constant = true;
  tensor.data.resize(sizeof value);
  std::memcpy(tensor.data.data(), &value, sizeof value);
  return tensor;
}

OperatorCall Assemble(const ProbeForm& form, const ProbeQuestion& question,
                      const Operands& operands, int32_t input_zero_point) {
  const auto terms = static_cast<int64_t>(operands.weights.size());
  const auto count = static_cast<int64_t>(operands.rows.size());
  const bool conv = form.kind == QC_CONV;
  OperatorCall call;
  call.kind = form.kind;
  call.attributes = EmptyAttributes();
  call.attributes.activation = question.activation;
  if (conv) {
    call.attributes.spatial_rank = 2;
    call.attributes.groups = 1;
    for (int i = 0; i < 2; ++i) {
      call.attributes.kernel[i] = 1;
      call.attributes.stride[i] = 1;
      call.attributes.dilation[i] = 1;
    }
  }
  CallTensor x;
  x.dtype = form.x;
  x.shape = conv ? Shape{1, terms, 1, count} : Shape{count, terms};
  x.scale = {question.input_scale};
  x.zero_point = {input_zero_point};
  x.data.resize(x.byte_size());
  for (int64_t row = 0; row < count; ++row)
    for (int64_t k = 0; k < terms; ++k) {
      const int32_t code =
          operands.rows[static_cast<size_t>(row)][static_cast<size_t>(k)] +
          input_zero_point;
      x.data[static_cast<size_t>(conv ? k * count + row : row * terms + k)] =
          static_cast<std::byte>(code & 0xFF);
    }
  CallTensor w;
  w.dtype = QC_S8;
  w.shape = conv ? Shape{1, terms, 1, 1} : Shape{1, terms};
  w.scale = {question.weight_scale};
  w.zero_point = {0};
  w.axis = form.per_channel ? 0 : -1;
  w.constant = true;
  for (const int16_t weight : operands.weights)
    w.data.push_back(static_cast<std::byte>(weight & 0xFF));
  call.inputs = {std::move(x), std::move(w)};
  if (question.bias) call.inputs.emplace_back(ConstantOf(QC_F32, *question.bias));
  if (question.bias_code)
    call.inputs.emplace_back(ConstantOf(QC_S32, *question.bias_code));
  CallTensor y;
  y.dtype = form.y;
  y.shape = conv ? Shape{1, 1, 1, count} : Shape{count, 1};
  y.scale = {question.output_scale};
  y.zero_point = {question.zero_point};
  call.outputs = {std::move(y)};
  return call;
}

}  // namespace

std::string ProbeForm::Text() const {
  std::string text =
      fmt::format("{} {}*s8->{} per {}", kind == QC_CONV ? "conv2d" : "linear",
                  AbiDTypeName(x), AbiDTypeName(y), per_channel ? "channel" : "tensor");
  if (bias == Bias::kF32) text += ", bias f32";
  if (bias == Bias::kS32) text += ", bias s32";
  return text;
}

const std::vector<ProbeForm>& ProbeForms() {
  static const auto* forms = [] {
    auto* built = new std::vector<ProbeForm>;
    for (const qc_dtype dtype : {QC_U8, QC_S8})
      for (const qc_operator_kind kind : {QC_LINEAR, QC_CONV})
        for (const bool per_channel : {false, true})
          built->push_back({kind, dtype, dtype, per_channel});
    return built;
  }();
  return *forms;
}

double ProbeQuestion::multiplier() const {
  return double{input_scale} * double{weight_scale} / double{output_scale};
}

std::string ProbeQuestion::Text(size_t index) const {
  std::string text = fmt::format("acc={}", accumulators[index]);
  if (bias)
    text += fmt::format(" + bias {:.9g}",
                        double{*bias} / (double{input_scale} * double{weight_scale}));
  if (bias_code) text += fmt::format(" + bias {}", *bias_code);
  text += fmt::format(" at {:.9g}", multiplier());
  if (zero_point != 0) text += fmt::format(", zero point {}", zero_point);
  return text;
}

OperatorCall CallOf(const ProbeForm& form, const ProbeQuestion& question) {
  return Assemble(form, question, OperandsOf(question.accumulators),
                  form.x == QC_U8 ? 128 : 0);
}

OperatorCall CallOf(const ProbeForm& form, const ProbeQuestion& question,
                    const std::vector<Product>& products) {
  Operands operands;
  operands.rows.emplace_back();
  for (const auto& [x, w] : products) {
    operands.rows[0].push_back(x);
    operands.weights.push_back(w);
  }
  const size_t terms = (products.size() + kVector - 1) / kVector * kVector;
  operands.rows[0].resize(terms, 0);
  operands.weights.resize(terms, 0);
  return Assemble(form, question, operands, 0);
}

}  // namespace qconform
