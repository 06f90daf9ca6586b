#include "conformance/cases/row_check.h"

#include <algorithm>

#include "conformance/cases/row_field.h"
#include "conformance/cases/row_operator.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

class Check {
 public:
  Check(const SuiteRow& row, qc_operator_kind kind, const std::string& where)
      : row_(row), kind_(kind), where_(where) {}

  void All() const {
    const RowOperator& op = *FindRowOperator(row_.operator_name);
    if (Uses(op, FieldOfColumn("shape"))) {
      Expect(!row_.shape.empty() && rank() <= QC_MAX_RANK, "no shape",
             "1 to 8 dimensions");
    }
    Expect(row_.qaxis < static_cast<int64_t>(rank()), "a qaxis outside the shape",
           "a dimension");
    Expect(row_.zw.size() == 1 || row_.per_channel(), "several zero points zw",
           "one, or weights per_channel");
    Expect(row_.zf.empty() || (row_.per_channel() && row_.zw == Numbers{0}),
           "float zero points zf", "weights per_channel, and no zw");
    Expect(!row_.dequantized || !row_.reduce_range, "dequantized beside reduce_range",
           "one of them");
    Range();
    Kind();
    Fused();
    FillFits();
  }

 private:
  void Expect(bool holds, const std::string& what, const std::string& expected) const {
    if (!holds) throw InputError(where_, what, expected);
  }

  size_t rank() const { return row_.shape.size(); }

  void One(const Reals& reals, const char* name) const {
    Expect(reals.size() == 1, std::string("no ") + name, "one number");
  }

  void AxesInside(const Numbers& axes) const {
    for (const int64_t axis : axes)
      Expect(axis < static_cast<int64_t>(rank()), "an axis outside the shape",
             "dimensions of it");
  }

  void Rank(const Numbers& numbers) const {
    Expect(numbers.size() == rank(), "numbers for another count of dimensions",
           "one a dimension");
  }

  void Range() const {
    if (row_.range.empty()) return;
    const int64_t low = row_.y == QC_S8 ? -128 : 0;
    const bool inside = row_.range.size() == 2 && row_.range[0] >= low &&
                        row_.range[1] <= low + 255 && row_.zy <= row_.range[1] &&
                        row_.range[0] < row_.range[1];
    Expect((row_.y == QC_U8 || row_.y == QC_S8) && inside, "a range of no codes",
           "two codes of the output, the second no less than its zero point");
  }

  void Kind() const {
    switch (kind_) {
      case QC_LINEAR:
        return Expect(!row_.n.empty() && row_.n.size() < QC_MAX_RANK, "no batch",
                      "at least one number");
      case QC_MATMUL:
        return Expect(rank() >= 2 && row_.other.size() == rank(),
                      "factors that are no matrices", "shapes of the same rank");
      case QC_ADD:
      case QC_SUB:
      case QC_MUL:
        return Expect((row_.w == kNoDType) == (row_.scalar.size() == 1) &&
                          (row_.w != kNoDType || row_.other.empty()),
                      "neither a second operand nor a number", "w, or scalar");
      case QC_CLAMP:
        One(row_.minimum, "minimum");
        return One(row_.maximum, "maximum");
      case QC_LEAKY_RELU:
      case QC_ELU:
        return One(row_.alpha, "alpha");
      case QC_BATCH_NORM:
        return Expect(rank() >= 2, "no channels", "at least two dimensions");
      case QC_INSTANCE_NORM:
        return Expect(rank() >= 3, "no spatial dimension", "at least three dimensions");
      case QC_GROUP_NORM:
        return Expect(rank() >= 2, "no channels", "at least two dimensions");
      case QC_LAYER_NORM:
        AxesInside({row_.axis});
        return Expect(row_.axis >= 0, "no axis", "the first dimension to normalize");
      case QC_PIXEL_SHUFFLE:
      case QC_PIXEL_UNSHUFFLE:
        return Expect(rank() >= 3 && row_.factor >= 1, "no factor or no picture",
                      "a factor, and at least three dimensions");
      case QC_EMBEDDING:
        return Expect(row_.c >= 1, "a table of no rows", "at least one");
      case QC_EMBEDDING_BAG:
        Expect(row_.c >= 1, "a table of no rows", "at least one");
        return Expect(row_.offsets.empty() == (rank() == 2),
                      "indices that are in no bags", "two dimensions, or offsets");
      case QC_LSTM:
      case QC_GRU:
        return Expect(
            rank() == 3 && row_.hidden >= 1 && row_.layers >= 1 && row_.layers <= 8,
            "no sequence, or no hidden size",
            "three dimensions, hidden, and 1 to 8 layers");
      case QC_ADAPTIVE_AVG_POOL:
      case QC_UPSAMPLE:
        return Resize();
      case QC_MEAN:
        return AxesInside(row_.axes);
      case QC_CONCAT:
        AxesInside({row_.axis});
        return Expect(!row_.parts.empty() && !row_.zs.empty() && row_.axis >= 0,
                      "a concat of nothing", "axis, parts and zs");
      case QC_TRANSPOSE:
        AxesInside(row_.axes);
        return Rank(row_.axes);
      case QC_SLICE:
        return Slice();
      case QC_PAD:
        Rank(row_.padding.before);
        return Rank(row_.padding.after);
      default:
        return;
    }
  }

  void Resize() const {
    Expect(row_.n.size() == 1, "a batch of more than one dimension", "one number");
    Expect(!row_.size.empty() && row_.size.size() <= 3, "no size", "1 to 3 numbers");
    Expect(row_.out.size() == row_.size.size(), "numbers for another count of dimensions",
           "one a spatial dimension");
  }

  void Slice() const {
    for (const Numbers* numbers : {&row_.start, &row_.stop, &row_.step}) Rank(*numbers);
    for (size_t d = 0; d < rank(); ++d)
      Expect(row_.step[d] >= 1 && row_.stop[d] >= row_.start[d],
             "a slice that runs backwards", "a step of at least 1");
  }

  void Fused() const {
    if (row_.activation == "clamp") {
      One(row_.minimum, "minimum");
      One(row_.maximum, "maximum");
    }
    if (row_.activation == "leaky_relu") One(row_.alpha, "alpha");
  }

  void FillFits() const {
    const std::string fill = "fill " + FillName(row_.fill);
    const bool of_floats = row_.fill == Fill::kValues ||
                           row_.fill == Fill::kSpecialFloats ||
                           row_.fill == Fill::kNotANumber;
    const bool bytes = row_.x == QC_U8 || row_.x == QC_S8;
    // Their outputs choose no scale: those of infinite biases are infinite.
    const bool of_bias = row_.fill != Fill::kValues && IsWeighted() && bytes &&
                         row_.bias == "f32" && !row_.sy.empty();
    Expect(!of_floats || row_.x == QC_F32 || of_bias, fill,
           "an input of f32, or a bias of f32 and sy");
    const bool two = row_.w == QC_U8 || row_.w == QC_S8;
    double elements = 1;
    for (const int64_t size : row_.shape) elements *= static_cast<double>(size);
    switch (row_.fill) {
      case Fill::kCodes:
        return Expect(row_.x != QC_F32, fill, "an input of codes");
      case Fill::kEveryCode:
        return Expect((IsUnary() && bytes && elements >= 256) || IsWholePrelu(), fill,
                      "an operator of one code at a time on at least 256, or prelu of "
                      "1x256x256 with 256 slopes");
      case Fill::kEveryPair:
        return Expect(
            IsBinary() && row_.other.empty() && bytes && two && elements >= 65536, fill,
            "an operator of two codes at a time on at least 65536");
      case Fill::kEveryProduct:
        return Expect(bytes && two && HasEveryProduct(), fill,
                      "one product an output, of 256 inputs and 256 outputs, per_tensor, "
                      "without bias or padding");
      default:
        return;
    }
  }

  bool IsWeighted() const {
    return kind_ == QC_LINEAR || kind_ == QC_CONV || kind_ == QC_CONV_TRANSPOSE;
  }

  bool IsBinary() const {
    return (kind_ == QC_ADD || kind_ == QC_SUB || kind_ == QC_MUL) && row_.w != kNoDType;
  }

  // Every code with every slope.
  bool IsWholePrelu() const {
    return kind_ == QC_PRELU && row_.x != QC_F32 && row_.w != QC_F32 && row_.o == 256 &&
           row_.shape == Numbers{1, 256, 256};
  }

  bool HasEveryProduct() const {
    if (kind_ == QC_MATMUL)
      return row_.shape == Numbers{256, 1} && row_.other == Numbers{1, 256};
    int64_t inputs = row_.n.empty() ? 0 : row_.n[0];
    int64_t taps = 1;
    for (const int64_t size : row_.size) inputs *= size;
    for (const int64_t size : row_.kernel) taps *= size;
    for (const Numbers* sides : {&row_.padding.before, &row_.padding.after})
      for (const int64_t side : *sides) taps += side;
    return IsWeighted() && row_.c == 1 && row_.n.size() == 1 && inputs >= 256 &&
           taps == 1 && row_.o >= 256 && !row_.per_channel() && row_.bias == "none" &&
           std::all_of(row_.stride.begin(), row_.stride.end(),
                       [](int64_t stride) { return stride == 1; });
  }

  bool IsUnary() const {
    switch (kind_) {
      case QC_ADD:
      case QC_SUB:
      case QC_MUL:
        return row_.w == kNoDType;
      case QC_DEQUANTIZE:
        return row_.qaxis < 0;
      case QC_REQUANTIZE:
        return true;
      default:
        return kind_ >= QC_RELU && kind_ <= QC_GELU && kind_ != QC_PRELU;
    }
  }

  const SuiteRow& row_;
  qc_operator_kind kind_;
  const std::string& where_;
};

}  // namespace

void CheckRow(const SuiteRow& row, qc_operator_kind kind, const std::string& where) {
  Check(row, kind, where).All();
}

}  // namespace qconform
