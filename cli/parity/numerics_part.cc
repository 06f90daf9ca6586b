#include "cli/parity/numerics_part.h"

#include <fmt/format.h>

#include "cli/parity/compare_values.h"
#include "cli/parity/native_operators_part.h"
#include "cli/parity/operators_part.h"
#include "reference/formats/tensor_json.h"
#include "reference/ir/error.h"
#include "reference/numerics/choose_qparams.h"
#include "reference/numerics/code_type.h"
#include "reference/numerics/decomposed.h"
#include "reference/numerics/fake_quantize.h"
#include "reference/numerics/quantize.h"

namespace qconform::parity {
namespace {

DType DTypeFromJson(const ordered_json& value) {
  const auto dtype = ParseDType(value.get<std::string>());
  if (!dtype) throw InputError("record", "dtype " + value.dump());
  return *dtype;
}

std::vector<double> Values(const ordered_json& json) {
  const Tensor tensor = TensorFromJson(json, "record");
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.numel(); ++i) values.push_back(tensor.ValueAt(i));
  return values;
}

Tensor MaskAsFloat(const Tensor& mask) {
  Tensor real(DType::kFloat32, mask.shape());
  for (int64_t i = 0; i < mask.numel(); ++i) {
    real.data<float>()[i] = mask.data<uint8_t>()[i] ? 1.0f : 0.0f;
  }
  return real;
}

void ComparePerTensor(const ordered_json& row, RecordReport& report) {
  const Tensor x = TensorFromJson(row.at("x"), "x");
  const double scale = row.at("scale");
  const int64_t zero_point = row.at("zero_point");
  const DType dtype = DTypeFromJson(row.at("dtype"));
  const Tensor codes = QuantizePerTensor(x, scale, zero_point, dtype);
  report.Add("quantize", CompareTensors(codes, row.at("q"), "q"));
  if (!row.contains("dequantize")) return;
  report.Add("dequantize",
             CompareTensors(Dequantize(codes), row.at("dequantize"), "dequantize"));
  const IntegerRange range = CodeRange(dtype);
  const Tensor decomposed = DecomposedQuantizePerTensor(x, scale, zero_point, range.min,
                                                        range.max, CodeDType(dtype));
  report.Add("decomposed", CompareTensors(decomposed, row.at("decomposed_q"), "q"));
  report.Add("decomposed",
             CompareTensors(DecomposedDequantizePerTensor(decomposed, scale, zero_point,
                                                          range.min, range.max),
                            row.at("decomposed_dq"), "dq"));
  const FakeQuantized fake = FakeQuantizePerTensor(x, static_cast<float>(scale),
                                                   zero_point, range.min, range.max);
  report.Add("fake_quant", CompareTensors(fake.y, row.at("fake_quant"), "y"));
  report.Add("fake_quant",
             CompareTensors(MaskAsFloat(fake.mask), row.at("fake_quant_grad"), "grad"));
}

void ComparePerChannel(const ordered_json& row, RecordReport& report) {
  const Tensor x = TensorFromJson(row.at("x"), "x");
  const std::vector<double> scales = Values(row.at("scales"));
  const std::vector<double> zero_points = Values(row.at("zero_points"));
  const int axis = row.at("axis");
  const DType dtype = DTypeFromJson(row.at("dtype"));
  if (row.value("float_qparams", false)) {
    const Tensor codes =
        QuantizePerChannelFloatQparams(x, scales, zero_points, axis, dtype);
    if (row.contains("q")) {
      report.Add("quantize", CompareTensors(codes, row.at("q"), "q"));
    }
    report.Add("dequantize",
               CompareTensors(Dequantize(codes), row.at("dequantize"), "dequantize"));
    return;
  }
  const Tensor codes = QuantizePerChannel(x, scales, zero_points, axis, dtype);
  report.Add("quantize", CompareTensors(codes, row.at("q"), "q"));
  report.Add("dequantize",
             CompareTensors(Dequantize(codes), row.at("dequantize"), "dequantize"));
  const IntegerRange range = CodeRange(dtype);
  const Tensor decomposed = DecomposedQuantizePerChannel(
      x, scales, zero_points, axis, range.min, range.max, CodeDType(dtype));
  report.Add("decomposed", CompareTensors(decomposed, row.at("decomposed_q"), "q"));
  report.Add("decomposed", CompareTensors(DecomposedDequantizePerChannel(
                                              decomposed, scales, zero_points, axis,
                                              range.min, range.max),
                                          row.at("decomposed_dq"), "dq"));
  const FakeQuantized fake =
      FakeQuantizePerChannel(x, scales, zero_points, false, axis, range.min, range.max);
  report.Add("fake_quant", CompareTensors(fake.y, row.at("fake_quant"), "y"));
  report.Add("fake_quant",
             CompareTensors(MaskAsFloat(fake.mask), row.at("fake_quant_grad"), "grad"));
}

// A one-element tensor as the number that it holds.
ordered_json SingleNumber(const ordered_json& tensor) { return Values(tensor).at(0); }

void CompareChosen(const ChosenQparams& chosen, const ordered_json& want,
                   const std::string& stage, RecordReport& report) {
  report.Add(stage, CompareNumbers(chosen.scale, SingleNumber(want.at(0)), "scale"));
  report.Add(stage, CompareNumbers(static_cast<double>(chosen.zero_point),
                                   SingleNumber(want.at(1)), "zero_point"));
}

void CompareDynamic(const ordered_json& row, RecordReport& report) {
  const Tensor x = TensorFromJson(row.at("x"), "x");
  const DType dtype = DTypeFromJson(row.at("dtype"));
  for (const bool reduce : {false, true}) {
    const ordered_json& want = row.at(reduce ? "dynamic_rr1" : "dynamic_rr0");
    const Tensor codes = QuantizePerTensorDynamic(x, dtype, reduce);
    const QuantizationParameters& got = *codes.quantization();
    report.Add("dynamic", CompareNumbers(got.scale[0], want.at("scale"), "scale"));
    report.Add("dynamic",
               CompareNumbers(got.zero_point[0], want.at("zero_point"), "zero_point"));
    report.Add("dynamic", CompareTensors(codes, want.at("q"), "q"));
  }
  const IntegerRange range = CodeRange(dtype);
  for (const auto& [key, want] : row.items()) {
    const std::string prefix = "choose_qparams_";
    if (!key.starts_with(prefix)) continue;
    const bool symmetric = key.starts_with(prefix + "symmetric_");
    const double eps = std::stod(key.substr(key.find("eps") + 3));
    const DType plain = CodeDType(dtype);
    CompareChosen(
        symmetric ? DecomposedChooseQparamsSymmetric(x, range.min, range.max, eps, plain)
                  : DecomposedChooseQparams(x, range.min, range.max, eps, plain),
        want, "choose_qparams", report);
  }
}

}  // namespace

PartReport NumericsPart(const ordered_json& file) {
  PartReport part;
  part.name = "numerics";
  const auto add_all = [&](const char* table, auto compare) {
    int index = 0;
    for (const ordered_json& row : file.at(table)) {
      RecordReport report(fmt::format("{}/{}", table, index++));
      try {
        compare(row, report);
      } catch (const PipelineError& error) {
        report.Add("error", Difference{"error", error.kind(), "none"});
      }
      part.records.push_back(std::move(report));
    }
  };
  add_all("per_tensor", ComparePerTensor);
  add_all("per_channel", ComparePerChannel);
  add_all("dynamic", CompareDynamic);
  PartReport errors = QuantizeErrorsPart(file);
  for (RecordReport& record : errors.records) part.records.push_back(std::move(record));
  part.not_compared = errors.not_compared;
  PartReport operators = OperatorsPart(file);
  for (RecordReport& record : operators.records)
    part.records.push_back(std::move(record));
  for (std::string& name : operators.not_compared) {
    part.not_compared.push_back(std::move(name));
  }
  return part;
}

}  // namespace qconform::parity
