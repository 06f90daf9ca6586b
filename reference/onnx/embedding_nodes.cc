// Rows of a table.
#include "reference/onnx/node_writer.h"

namespace qconform {
namespace {

// A table of codes with one float zero point a row: code * scale - zero_point * scale.
std::string RowsWithFloatZeroPoint(NodeWriter& writer, const std::string& indices) {
  const ProgramValue& table = writer.Input(1);
  if (table.dtype != DType::kUInt8 && table.dtype != DType::kInt8)
    writer.Refuse("its table has " + std::string(DTypeName(table.dtype)) + " codes");
  const QuantizationParameters& quantization = *table.quantization;
  std::vector<float> scale;
  std::vector<float> offset;
  for (size_t row = 0; row < quantization.scale.size(); ++row) {
    scale.push_back(static_cast<float>(quantization.scale[row]));
    offset.push_back(-static_cast<float>(quantization.zero_point[row]) * scale.back());
  }
  const Shape column = {static_cast<int64_t>(scale.size()), 1};
  const auto rows_of = [&](const std::string& values) {
    return writer.Node("Gather", {values, indices});
  };
  const std::string codes =
      writer.Node("Cast", {rows_of(table.name)}, {{"to", int64_t{1}}});
  const std::string scaled =
      writer.Node("Mul", {codes, rows_of(writer.Floats("scale", scale, column))});
  return writer.Node("Add", {scaled, rows_of(writer.Floats("offset", offset, column))});
}

}  // namespace

void WriteEmbedding(NodeWriter& writer) {
  const qc_attributes& a = writer.attributes();
  const std::string indices = writer.Codes(0);
  const ProgramValue& table = writer.Input(1);
  const bool bags = writer.step().kind == QC_EMBEDDING_BAG;
  if (bags && writer.HasInput(2))
    writer.Refuse("its bags begin at offsets, for which there is no operator");
  if (bags && a.padding_index != 0)
    writer.Refuse("its padding index leaves rows out, for which there is no operator");
  if (bags && writer.Input(0).shape[1] == 0) writer.Refuse("its bags are empty");
  std::string rows;
  if (table.float_zero_point) {
    rows = RowsWithFloatZeroPoint(writer, indices);
  } else {
    rows = writer.Node("Gather", {writer.Real(1), indices});
  }
  if (!bags) return writer.StoreReal(rows);
  if (writer.HasInput(3)) {
    const std::string factors =
        writer.Node("Unsqueeze", {writer.Real(3), writer.Integers("factor.axis", {2})});
    rows = writer.Node("Mul", {rows, factors});
  }
  const std::string axis = writer.Integers("bag.axis", {1});
  const std::vector<int64_t> axes = {1};
  switch (a.reduction) {
    case QC_REDUCTION_SUM:
      rows = writer.Node("ReduceSum", {rows, axis}, {{"keepdims", int64_t{0}}});
      break;
    case QC_REDUCTION_MEAN:
      rows =
          writer.Node("ReduceMean", {rows}, {{"axes", axes}, {"keepdims", int64_t{0}}});
      break;
    default:
      rows = writer.Node("ReduceMax", {rows}, {{"axes", axes}, {"keepdims", int64_t{0}}});
  }
  writer.StoreReal(rows);
}

}  // namespace qconform
