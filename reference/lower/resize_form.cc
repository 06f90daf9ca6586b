// Resizing and the pixel shuffles.
#include "reference/lower/operator_form.h"

namespace qconform {
namespace {

// One factor for all spatial dimensions or one for each; none if sizes are given.
std::vector<double> ScaleFactors(const FormContext& context, size_t spatial) {
  const Argument* given = context.module != nullptr
                              ? context.module->attributes.Find("scale_factor")
                              : context.arguments.Find(2, "scale_factor");
  if (given == nullptr || given->IsNone()) return {};
  const auto real = [](const Argument& argument) {
    if (const double* number = argument.As<double>()) return *number;
    if (const int64_t* number = argument.As<int64_t>()) {
      return static_cast<double>(*number);
    }
    throw NoOperatorForm("scale_factor is no number");
  };
  const Sequence* sequence = given->As<Sequence>();
  if (sequence == nullptr) return std::vector<double>(spatial, real(*given));
  std::vector<double> factors;
  for (const Argument& item : sequence->items) factors.push_back(real(item));
  if (factors.size() != spatial) throw NoOperatorForm("scale_factor does not fit");
  return factors;
}

}  // namespace

// torch.nn.functional.interpolate(input, size, scale_factor, mode, align_corners,
// recompute_scale_factor, antialias); the output's shape says the sizes.
OperatorForm Resizing(const FormContext& context) {
  OperatorForm form(QC_UPSAMPLE);
  form.operands = {FirstOperand(context)};
  const size_t rank = context.input().shape.size();
  if (rank < 3 || rank > 5) throw NoOperatorForm("it has no 1 to 3 spatial dimensions");
  static constexpr const char* kLinear[] = {"linear", "bilinear", "trilinear"};
  const std::string mode = context.Text(3, "mode", "nearest");
  form.moves_codes = mode == "nearest";
  if (mode == kLinear[rank - 3]) {
    form.attributes.interpolation = QC_INTERPOLATION_BILINEAR;
  } else if (mode != "nearest") {
    throw NoOperatorForm("mode of interpolation is '" + mode + "'");
  }
  if (context.Boolean(6, "antialias", false)) throw NoOperatorForm("it smooths");
  form.attributes.spatial_rank = static_cast<int32_t>(rank) - 2;
  form.attributes.align_corners = context.Boolean(4, "align_corners", false) ? 1 : 0;
  if (context.Boolean(5, "recompute_scale_factor", false)) return form;
  const std::vector<double> factors = ScaleFactors(context, rank - 2);
  for (size_t i = 0; i < factors.size(); ++i)
    form.attributes.scale_factor[i] = factors[i];
  return form;
}

OperatorForm PixelShuffling(const FormContext& context) {
  const std::string& name =
      context.module != nullptr ? context.module->type : context.node.target();
  const bool back = name.ends_with("PixelUnshuffle") || name.ends_with("pixel_unshuffle");
  OperatorForm form(back ? QC_PIXEL_UNSHUFFLE : QC_PIXEL_SHUFFLE);
  form.operands = {FirstOperand(context)};
  form.moves_codes = true;
  form.attributes.factor =
      context.Integer(1, back ? "downscale_factor" : "upscale_factor", 0);
  return form;
}

}  // namespace qconform
