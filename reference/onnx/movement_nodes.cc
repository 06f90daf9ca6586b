// Operators that move elements, change the size of pictures, or convert.
#include <algorithm>

#include "reference/onnx/node_writer.h"

namespace qconform {
namespace {

std::string Reshaped(NodeWriter& writer, const std::string& x,
                     const std::vector<int64_t>& shape) {
  // allowzero: a zero is a size, not "as the input".
  return writer.Node("Reshape", {x, writer.Integers("shape", shape)},
                     {{"allowzero", int64_t{1}}});
}

std::string Sliced(NodeWriter& writer, const std::string& x) {
  const qc_attributes& a = writer.attributes();
  const size_t rank = writer.Input(0).shape.size();
  std::vector<int64_t> axes;
  std::vector<int64_t> step(a.step, a.step + rank);
  for (size_t i = 0; i < rank; ++i) {
    axes.push_back(static_cast<int64_t>(i));
    if (step[i] == 0) step[i] = 1;
  }
  return writer.Node("Slice",
                     {x, writer.Integers("start", {a.start, a.start + rank}),
                      writer.Integers("stop", {a.stop, a.stop + rank}),
                      writer.Integers("axes", axes), writer.Integers("step", step)});
}

std::string Padded(NodeWriter& writer) {
  const qc_attributes& a = writer.attributes();
  const size_t rank = writer.Input(0).shape.size();
  const bool on_codes = writer.form() != OnnxForm::kQdq && writer.MovesCodes();
  std::string fill;
  if (a.padding_mode == QC_PADDING_ZEROS && !on_codes)
    fill = writer.Scalar("fill", a.scalar);
  if (a.padding_mode == QC_PADDING_ZEROS && on_codes) {
    qc_attributes at = a;
    at.activation = QC_ACTIVATION_CLAMP;
    at.activation_min = a.scalar;
    at.activation_max = a.scalar;
    fill =
        writer.Code("fill", FusedCodes(at, writer.Output()).min, writer.Output().dtype);
  }
  return WritePadding(writer, writer.Moved(0),
                      static_cast<qc_padding_mode>(a.padding_mode),
                      {a.start, a.start + rank}, {a.stop, a.stop + rank}, fill);
}

}  // namespace

std::string WritePadding(NodeWriter& writer, const std::string& x, qc_padding_mode mode,
                         const std::vector<int64_t>& before,
                         const std::vector<int64_t>& after, const std::string& fill) {
  const char* name = nullptr;
  if (mode == QC_PADDING_ZEROS) name = "constant";
  if (mode == QC_PADDING_REFLECT) name = "reflect";
  if (mode == QC_PADDING_REPLICATE) name = "edge";
  if (name == nullptr) writer.Refuse("Pad of opset 17 has no circular padding");
  std::vector<int64_t> pads = before;
  pads.insert(pads.end(), after.begin(), after.end());
  std::vector<std::string> inputs = {x, writer.Integers("pads", pads)};
  if (!fill.empty()) inputs.push_back(fill);
  return writer.Node("Pad", std::move(inputs), {{"mode", std::string(name)}});
}

void WriteMovement(NodeWriter& writer) {
  const qc_attributes& a = writer.attributes();
  const Shape& x = writer.Input(0).shape;
  switch (writer.step().kind) {
    case QC_RESHAPE:
      return writer.StoreMoved(Reshaped(writer, writer.Moved(0), writer.Output().shape));
    case QC_TRANSPOSE:
      return writer.StoreMoved(writer.Node(
          "Transpose", {writer.Moved(0)},
          {{"perm", std::vector<int64_t>(a.permutation, a.permutation + x.size())}}));
    case QC_SLICE:
      return writer.StoreMoved(Sliced(writer, writer.Moved(0)));
    default:
      return writer.StoreMoved(Padded(writer));
  }
}

void WriteConcat(NodeWriter& writer) {
  const size_t count = writer.step().inputs.size();
  const auto same = [&](size_t i) {
    const ProgramValue& value = writer.Input(i);
    return value.dtype == writer.Output().dtype &&
           value.quantization == writer.Output().quantization &&
           CodesOf(value).min == CodesOf(writer.Output()).min &&
           CodesOf(value).max == CodesOf(writer.Output()).max;
  };
  bool on_codes = writer.form() != OnnxForm::kQdq && writer.MovesCodes();
  for (size_t i = 0; i < count; ++i) on_codes = on_codes && same(i);
  std::vector<std::string> inputs;
  for (size_t i = 0; i < count; ++i)
    inputs.push_back(on_codes ? writer.Codes(i) : writer.Real(i));
  const std::string y =
      writer.Node("Concat", std::move(inputs),
                  {{"axis", static_cast<int64_t>(writer.attributes().axis)}});
  if (on_codes) return writer.Store(y);
  writer.StoreReal(y);
}

void WriteUpsample(NodeWriter& writer) {
  const qc_attributes& a = writer.attributes();
  const Shape& x = writer.Input(0).shape;
  const Shape& y = writer.Output().shape;
  std::vector<float> scales = {1.0f, 1.0f};
  bool by_scale = false;
  for (size_t i = 2; i < x.size(); ++i) {
    const double factor = a.scale_factor[i - 2];
    by_scale |= factor > 0.0;
    scales.push_back(factor > 0.0 ? static_cast<float>(factor)
                                  : static_cast<float>(y[i]) / static_cast<float>(x[i]));
  }
  std::vector<std::string> inputs = {writer.Moved(0), "", ""};
  if (by_scale) {
    inputs[2] = writer.Floats("scales", scales, {static_cast<int64_t>(scales.size())});
  } else {
    inputs.push_back(writer.Integers("sizes", y));
  }
  std::vector<OnnxAttribute> attributes;
  if (a.interpolation == QC_INTERPOLATION_NEAREST) {
    attributes = {{"mode", std::string("nearest")},
                  {"coordinate_transformation_mode", std::string("asymmetric")},
                  {"nearest_mode", std::string("floor")}};
    return writer.StoreMoved(writer.Node("Resize", std::move(inputs), attributes));
  }
  attributes = {{"mode", std::string("linear")},
                {"coordinate_transformation_mode",
                 std::string(a.align_corners != 0 ? "align_corners" : "half_pixel")}};
  inputs[0] = writer.Real(0);
  writer.StoreReal(writer.Node("Resize", std::move(inputs), attributes));
}

void WritePixelShuffle(NodeWriter& writer) {
  const int64_t f = writer.attributes().factor;
  const Shape& x = writer.Input(0).shape;
  const Shape& y = writer.Output().shape;
  const bool apart = writer.step().kind == QC_PIXEL_UNSHUFFLE;
  const size_t rank = x.size();
  if (rank < 3) writer.Refuse("its input is not [.., C, H, W]");
  if (!apart && rank == 4) {
    return writer.StoreMoved(
        writer.Node("DepthToSpace", {writer.Moved(0)},
                    {{"blocksize", f}, {"mode", std::string("CRD")}}));
  }
  // SpaceToDepth orders the channels the other way round; and both want four dimensions.
  const int64_t n = NumElements({x.begin(), x.end() - 3});
  const Shape& small = apart ? y : x;
  const Shape& large = apart ? x : y;
  const int64_t c = large[rank - 3];
  const int64_t h = small[rank - 2];
  const int64_t w = small[rank - 1];
  const std::vector<int64_t> pieces = apart ? std::vector<int64_t>{n, c, h, f, w, f}
                                            : std::vector<int64_t>{n, c, f, f, h, w};
  const std::vector<int64_t> order = apart ? std::vector<int64_t>{0, 1, 3, 5, 2, 4}
                                           : std::vector<int64_t>{0, 1, 4, 2, 5, 3};
  std::string moved = Reshaped(writer, writer.Moved(0), pieces);
  moved = writer.Node("Transpose", {moved}, {{"perm", order}});
  writer.StoreMoved(Reshaped(writer, moved, y));
}

void WriteConversion(NodeWriter& writer) {
  const std::string real = writer.Real(0);
  if (writer.step().kind != QC_DEQUANTIZE || real != writer.Codes(0))
    return writer.StoreReal(real);
  writer.StoreReal(writer.Node("Identity", {real}));
}

}  // namespace qconform
