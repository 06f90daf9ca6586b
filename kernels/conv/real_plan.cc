#include "kernels/conv/real_plan.h"

#include <algorithm>
#include <limits>

#include "kernels/conv/weight_reader.h"
#include "kernels/layout/buffer_view.h"
#include "kernels/layout/parallel.h"
#include "kernels/linear/dynamic_input.h"
#include "kernels/linear/matrix_rows.h"
#include "kernels/requantize/parameters.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/activation_function.h"

namespace qconform::kernels {
namespace {

// Below some thirty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialProducts = 400'000;

constexpr int64_t kMaximumElements = std::numeric_limits<int32_t>::max() / 2;

// Terms of a sum in the order of the definition: channel, then kernel position.
std::vector<int32_t> TermOffsets(const ConvGeometry& g, const PackedInput& packed) {
  std::vector<int32_t> offsets;
  const auto taps = [&](size_t axis) { return g.axes[axis].phases[0].taps; };
  for (int64_t c = 0; c < g.group_inputs; ++c)
    for (const Tap& z : taps(0))
      for (const Tap& y : taps(1))
        for (const Tap& x : taps(2))
          offsets.push_back(static_cast<int32_t>(
              (z.place * g.axes[1].Extent() + y.place) * packed.RowElements() +
              x.place * packed.pixel_elements + c));
  return offsets;
}

// The input of a linear layer that is quantized at run time, as real values again.
// Answers with the scale.
float QuantizeAndBack(const qc_tensor& x, int64_t rows, int64_t columns,
                      bool reduce_range, float* values) {
  const int64_t stride = x.stride[x.rank - 1];
  const auto* const data = static_cast<const uint8_t*>(x.data);
  RealRange range;
  for (int64_t row = 0; row < rows; ++row)
    range.Include(data + RowOffset(x, row), stride, columns);
  const DynamicQparams qparams = DynamicQparams::Choose(range, reduce_range);
  const float reciprocal = ReciprocalScale(qparams.scale);
  for (int64_t row = 0; row < rows; ++row) {
    const uint8_t* const from = data + RowOffset(x, row);
    for (int64_t i = 0; i < columns; ++i) {
      float value;
      std::memcpy(&value, from + i * stride, sizeof value);
      const int32_t code =
          QuantizeSaturating(value, reciprocal, qparams.zero_point, 0, 255);
      *values++ = DequantizeValue(code, qparams.zero_point, qparams.scale);
    }
  }
  return qparams.scale;
}

}  // namespace

void RealWeightedPlan::PlanConv(const qc_descriptor& descriptor) {
  geometry_ = ReadConvGeometry(descriptor, descriptor.kind == QC_CONV_TRANSPOSE);
  packed_ = LayOutInput(geometry_, 0, 0);
  pixels_ = geometry_.Pixels();
  if (packed_.elements > kMaximumElements) return;
  pixel_offset_ = LayOutPhases(geometry_, packed_)[0].pixel_offset;
  term_offset_ = TermOffsets(geometry_, packed_);
}

void RealWeightedPlan::PlanLinear(const qc_tensor& x, const qc_tensor& y) {
  linear_ = true;
  geometry_.group_inputs = x.shape[x.rank - 1];
  geometry_.group_outputs = y.shape[y.rank - 1];
  pixels_ = LeadingElements(x);
  packed_.elements = pixels_ * geometry_.group_inputs;
  for (int64_t row = 0; row < pixels_; ++row)
    pixel_offset_.push_back(static_cast<int32_t>(row * geometry_.group_inputs));
  for (int64_t k = 0; k < geometry_.group_inputs; ++k)
    term_offset_.push_back(static_cast<int32_t>(k));
}

template <typename Weight>
void RealWeightedPlan::PackWeight(int64_t terms, const std::vector<float>& scale,
                                  Weight weight) {
  const int64_t width = tile_.Block();
  const int64_t group_elements = blocks_ * terms * width;
  weight_ = AlignedBytes(static_cast<size_t>(geometry_.groups * group_elements) *
                         sizeof(float));
  for (int64_t o = 0; o < geometry_.Outputs(); ++o) {
    const int64_t c = o % geometry_.group_outputs;
    float* const to = weight_.As<float>() + o / geometry_.group_outputs * group_elements +
                      c / width * terms * width + c % width;
    for (int64_t k = 0; k < terms; ++k)
      to[k * width] = static_cast<float>(weight(o, k)) * scale[static_cast<size_t>(o)];
  }
}

std::unique_ptr<OperatorPlan> RealWeightedPlan::Make(const PlanRequest& request,
                                                     const qc_tensor& weight,
                                                     const qc_tensor* bias,
                                                     std::string& reason) {
  const qc_descriptor& descriptor = request.descriptor;
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& y = *descriptor.outputs[0];
  auto plan = std::make_unique<RealWeightedPlan>();
  plan->attributes_ = *descriptor.attributes;
  plan->tile_ = MatmulTile(request.path);
  plan->kernel_ = request.kernels.matmul_real;
  if (descriptor.kind == QC_LINEAR) {
    plan->PlanLinear(x, y);
  } else {
    plan->PlanConv(descriptor);
  }
  const ConvGeometry& g = plan->geometry_;
  const int64_t width = plan->tile_.Block();
  plan->blocks_ = (g.group_outputs + width - 1) / width;
  const int64_t padded_outputs = g.groups * plan->blocks_ * width;
  if (plan->packed_.elements > kMaximumElements ||
      plan->pixels_ * padded_outputs > kMaximumElements) {
    reason = "tensors of more than 2^30 elements";
    return nullptr;
  }
  const std::vector<float> scale =
      WeightedConstants(weight, g.Outputs(), nullptr, request.scheme).weight_scale;
  const auto terms = static_cast<int64_t>(plan->term_offset_.size());
  const WeightReader read(g, weight);
  const std::vector<Tap>& of_z = g.axes[0].phases[0].taps;
  const std::vector<Tap>& of_y = g.axes[1].phases[0].taps;
  const std::vector<Tap>& of_x = g.axes[2].phases[0].taps;
  const auto size_y = static_cast<int64_t>(of_y.size());
  const auto size_x = static_cast<int64_t>(of_x.size());
  const auto size = static_cast<int64_t>(of_z.size()) * size_y * size_x;
  plan->PackWeight(terms, scale, [&](int64_t o, int64_t k) {
    const int64_t at = k % size;
    return read(o, k / size, of_z[static_cast<size_t>(at / size_x / size_y)].index,
                of_y[static_cast<size_t>(at / size_x % size_y)].index,
                of_x[static_cast<size_t>(at % size_x)].index);
  });
  plan->map_ = RealMapOf(x);
  if (bias != nullptr) plan->bias_ = ReadReal(*bias);
  if (bias != nullptr && bias->dtype == QC_S32) plan->bias_weight_scale_ = scale;
  if (descriptor.attributes->residual != 0)
    plan->residual_map_ = RealMapOf(*descriptor.inputs[3]);
  plan->output_ = RealOutput::Of(y);
  plan->CutTasks(request.threads);
  plan->staging_offset_ =
      AlignUp(static_cast<size_t>(plan->packed_.elements) * sizeof(float));
  plan->bias_offset_ =
      plan->staging_offset_ +
      AlignUp(static_cast<size_t>(plan->pixels_ * padded_outputs) * sizeof(float));
  plan->workspace_bytes_ =
      plan->bias_offset_ + AlignUp(plan->bias_.size() * sizeof(float));
  ActivationBounds(plan->attributes_, plan->lowest_, plan->highest_);
  return plan;
}

void RealWeightedPlan::CutTasks(int threads) {
  if (pixels_ == 0 || blocks_ == 0) return;
  const int64_t products = pixels_ * geometry_.groups * blocks_ * tile_.Block() *
                           static_cast<int64_t>(term_offset_.size());
  threads_ = products < kSerialProducts ? 1 : threads;
  const int64_t wanted = threads_ > 1 ? 4 * threads_ : 1;
  const int64_t parts = std::max<int64_t>(1, wanted / geometry_.groups);
  const int64_t tiles = (pixels_ + tile_.rows - 1) / tile_.rows;
  const int64_t each = (tiles + parts - 1) / parts * tile_.rows;
  for (int64_t group = 0; group < geometry_.groups; ++group)
    for (int64_t first = 0; first < pixels_; first += each)
      tasks_.push_back({group, first, std::min(each, pixels_ - first)});
  // Pixels beyond the last fill its tile.
  pixel_offset_.resize(static_cast<size_t>(pixels_ + tile_.rows), pixel_offset_.back());
}

void RealWeightedPlan::RunTask(const Task& task, const float* packed, float* sums) const {
  const auto terms = static_cast<int32_t>(term_offset_.size());
  const auto pixels = static_cast<int32_t>(task.pixels);
  const int32_t width = tile_.Block();
  const auto columns = static_cast<int32_t>(blocks_ * width);
  const int64_t skip = task.group * geometry_.group_inputs;
  BufferView<1> a(packed + skip, {{{static_cast<int32_t>(packed_.elements - skip), 1}}});
  BufferView<1> pixel_offset(pixel_offset_.data() + task.first,
                             {{{pixels + tile_.rows, 1}}});
  BufferView<1> term_offset(term_offset_.data(), {{{terms, 1}}});
  BufferView<4> b(weight_.As<float>() + task.group * blocks_ * width * terms,
                  {{{tile_.lanes, 1},
                    {tile_.vectors, tile_.lanes},
                    {terms, width},
                    {static_cast<int32_t>(blocks_), terms * width}}});
  BufferView<2> result(sums + (task.group * pixels_ + task.first) * columns,
                       {{{columns, 1}, {pixels, columns}}});
  kernel_(a.get(), pixel_offset.get(), term_offset.get(), b.get(), 1.0f, 0.0f, 0.0f, 0, 0,
          0, result.get());
}

int64_t RealWeightedPlan::PixelOffset(const qc_tensor& tensor, int64_t pixel) const {
  if (linear_) return RowOffset(tensor, pixel);
  const ImageStride stride = StridesOf(geometry_, tensor);
  const auto& [z, y, x] = geometry_.axes;
  return pixel % x.output * stride.width + pixel / x.output % y.output * stride.height +
         pixel / x.output / y.output % z.output * stride.depth +
         pixel / x.output / y.output / z.output * stride.batch;
}

int64_t RealWeightedPlan::ChannelStride(const qc_tensor& tensor) const {
  return tensor.stride[linear_ ? tensor.rank - 1 : 1];
}

// In pieces that stay in the first-level cache.
void RealWeightedPlan::Finish(int64_t pixel, const float* sums, const qc_tensor* residual,
                              const float* bias, const qc_tensor& y) const {
  constexpr int64_t kPiece = 512;
  float values[kPiece], other[kPiece];
  const int64_t columns = blocks_ * tile_.Block();
  const int64_t outputs = geometry_.group_outputs;
  uint8_t* const to = static_cast<uint8_t*>(y.data) + PixelOffset(y, pixel);
  const uint8_t* const add =
      residual == nullptr
          ? nullptr
          : static_cast<const uint8_t*>(residual->data) + PixelOffset(*residual, pixel);
  for (int64_t o = 0; o < geometry_.Outputs();) {
    const int64_t group = o / outputs, first = o % outputs;
    const int64_t count = std::min(kPiece, outputs - first);
    std::copy_n(sums + (group * pixels_ + pixel) * columns + first, count, values);
    if (bias != nullptr)
      for (int64_t i = 0; i < count; ++i) values[i] += bias[o + i];
    if (add != nullptr) {
      CopyCodes(add + o * ChannelStride(*residual), ChannelStride(*residual), count,
                residual_map_, other, 1);
      for (int64_t i = 0; i < count; ++i) values[i] += other[i];
    }
    if (attributes_.activation <= QC_ACTIVATION_CLAMP) {
      for (int64_t i = 0; i < count; ++i) {
        const float above = values[i] < lowest_ ? lowest_ : values[i];
        values[i] = above > highest_ ? highest_ : above;
      }
    } else {
      for (int64_t i = 0; i < count; ++i)
        values[i] = ApplyFusedActivation(attributes_, values[i]);
    }
    output_.Store(values, count, to + o * ChannelStride(y), ChannelStride(y));
    o += count;
  }
}

// A bias in units of sx * sw waits for the scale of a dynamic input.
void RealWeightedPlan::ScaleBias(float input_scale, float* bias) const {
  for (size_t o = 0; o < bias_.size(); ++o) {
    bias[o] = bias_weight_scale_.empty()
                  ? bias_[o]
                  : bias_[o] * (input_scale * bias_weight_scale_[o]);
  }
}

void RealWeightedPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                           void* workspace) const {
  if (tasks_.empty()) return;
  const qc_tensor& x = *inputs[0];
  const qc_tensor& y = *outputs[0];
  const qc_tensor* const residual = attributes_.residual != 0 ? inputs[3] : nullptr;
  auto* const packed = static_cast<float*>(workspace);
  auto* const sums =
      reinterpret_cast<float*>(static_cast<uint8_t*>(workspace) + staging_offset_);
  auto* const bias =
      reinterpret_cast<float*>(static_cast<uint8_t*>(workspace) + bias_offset_);
  const bool dynamic = attributes_.dynamic != 0;
  if (!dynamic) ScaleBias(map_.scale, bias);
  const auto* const data = static_cast<const uint8_t*>(x.data);
  const auto pack = [&](int64_t row) {
    if (dynamic) {
      ScaleBias(QuantizeAndBack(x, pixels_, geometry_.group_inputs,
                                attributes_.reduce_range != 0, packed),
                bias);
    } else if (linear_) {
      CopyCodes(data + RowOffset(x, row), x.stride[x.rank - 1], geometry_.group_inputs,
                map_, packed + row * geometry_.group_inputs, 1);
    } else {
      PackRow(packed_, data, StridesOf(geometry_, x), map_, row, packed);
    }
  };
  const auto compute = [&](int64_t i) {
    RunTask(tasks_[static_cast<size_t>(i)], packed, sums);
  };
  const auto finish = [&](int64_t pixel) {
    Finish(pixel, sums, residual, bias_.empty() ? nullptr : bias, y);
  };
  RunPhases(threads_,
            dynamic   ? 1
            : linear_ ? pixels_
                      : packed_.Rows(),
            pack, static_cast<int64_t>(tasks_.size()), compute, pixels_, finish);
}

}  // namespace qconform::kernels
