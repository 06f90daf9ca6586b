#include "kernels/normalize/row_norm_plan.h"

#include <algorithm>
#include <cmath>

#include "kernels/layout/buffer_view.h"
#include "kernels/requantize/parameters.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/quantize_value.h"

namespace qconform::kernels {
namespace {

constexpr int64_t kGroup = RowBlocks::kGroup;

int64_t Groups(const qc_descriptor& descriptor) {
  return descriptor.kind == QC_INSTANCE_NORM ? descriptor.inputs[0]->shape[1]
                                             : descriptor.attributes->group_count;
}

// Channels of one group; of no channels, none.
int64_t ChannelsOfRow(const qc_descriptor& descriptor) {
  const int64_t groups = Groups(descriptor);
  return groups == 0 ? 1 : descriptor.inputs[0]->shape[1] / groups;
}

// A row of layer norm: the dimensions from the axis on. Of the others: the channels of a
// group with all that is behind them; the group is the row's number.
TensorRows RowsOf(const qc_descriptor& descriptor) {
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& y = *descriptor.outputs[0];
  const bool layer = descriptor.kind == QC_LAYER_NORM;
  const int split = layer ? static_cast<int>(descriptor.attributes->axis) : 2;
  std::vector<RowDimension> outer, inner;
  for (int i = 0; i < x.rank; ++i) {
    auto& side = i < split ? outer : inner;
    side.push_back({x.shape[i], x.stride[i], y.stride[i]});
  }
  if (!layer) {
    const int64_t channels = ChannelsOfRow(descriptor);
    outer[1] = {Groups(descriptor), channels * x.stride[1], channels * y.stride[1], 1};
    inner.insert(inner.begin(), {channels, x.stride[1], y.stride[1]});
  }
  return TensorRows(outer, inner);
}

}  // namespace

RowNormPlan::RowNormPlan(const PlanRequest& request)
    : blocks_(RowsOf(request.descriptor), request.threads),
      operands_(request),
      input_(*request.descriptor.inputs[0]),
      output_(*request.descriptor.outputs[0]),
      kernel_(request.kernels.normalize_row) {
  const qc_descriptor& descriptor = request.descriptor;
  const qc_tensor& x = *descriptor.inputs[0];
  const bool layer = descriptor.kind == QC_LAYER_NORM;
  plane_ = 1;
  for (int i = 2; !layer && i < x.rank; ++i) plane_ *= x.shape[i];
  channels_ = layer ? blocks_.rows().width() : ChannelsOfRow(descriptor);
  epsilon_ = static_cast<double>(descriptor.attributes->epsilon);
  for (int byte = 0; byte < 256; ++byte) {
    values_[byte] = DequantizeValue(byte ^ input_.flip, input_.zero_point, input_.scale);
  }
  ActivationBounds(*descriptor.attributes, lowest_, highest_);
}

std::unique_ptr<OperatorPlan> RowNormPlan::Make(const PlanRequest& request,
                                                std::string&) {
  std::unique_ptr<RowNormPlan> plan(new RowNormPlan(request));
  if (plan->operands_.complete()) plan->parameters_ = Read(plan->operands_, nullptr);
  return plan;
}

RowNormPlan::Parameters RowNormPlan::Read(const KeptConstants& operands,
                                          const qc_tensor* const* inputs) {
  Parameters parameters;
  if (const qc_tensor* gamma = operands.Get(1, inputs))
    parameters.gamma = ReadReal(*gamma);
  if (const qc_tensor* beta = operands.Get(2, inputs)) parameters.beta = ReadReal(*beta);
  // Times one and plus zero change no code.
  if (parameters.gamma.empty()) parameters.gamma.assign(parameters.beta.size(), 1.0f);
  if (parameters.beta.empty()) parameters.beta.assign(parameters.gamma.size(), 0.0f);
  return parameters;
}

void RowNormPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                      void* workspace) const {
  Parameters live;
  if (!operands_.complete()) live = Read(operands_, inputs);
  const Parameters& parameters = operands_.complete() ? parameters_ : live;
  blocks_.Run(static_cast<const uint8_t*>(inputs[0]->data),
              static_cast<uint8_t*>(outputs[0]->data), workspace,
              [&](int64_t first, int64_t count, const uint8_t* const* codes,
                  uint8_t* const* to) { RunGroup(first, count, codes, to, parameters); });
}

// Mean and variance in plain C++: the chains of additions are what binds, and the values
// of codes come from a table.
void RowNormPlan::RunGroup(int64_t first, int64_t count, const uint8_t* const* codes,
                           uint8_t* const* to, const Parameters& parameters) const {
  const int64_t width = blocks_.rows().width();
  // Of fewer rows the first stands for those that are missing.
  const uint8_t* row[kGroup];
  for (int64_t r = 0; r < kGroup; ++r) row[r] = codes[r < count ? r : 0];
  double mean[kGroup] = {}, squares[kGroup] = {};
  for (int64_t i = 0; i < width; ++i)
    for (int64_t r = 0; r < kGroup; ++r) mean[r] += values_[row[r][i]];
  for (double& sum : mean) sum /= static_cast<double>(width);
  for (int64_t i = 0; i < width; ++i)
    for (int64_t r = 0; r < kGroup; ++r) {
      const double distance = values_[row[r][i]] - mean[r];
      squares[r] += distance * distance;
    }
  for (int64_t r = 0; r < count; ++r) {
    const double variance = squares[r] / static_cast<double>(width);
    const double scale = 1.0 / std::sqrt(variance + epsilon_);
    Finish(blocks_.rows().At(first + r).number, row[r], mean[r], scale, parameters,
           to[r]);
  }
}

void RowNormPlan::Finish(int64_t number, const uint8_t* codes, double mean, double scale,
                         const Parameters& parameters, uint8_t* to) const {
  constexpr float kOne = 1.0f, kZero = 0.0f;
  const bool none = parameters.gamma.empty();
  // In a plane one pair of parameters holds; without a plane or without parameters the
  // row is a single run.
  const bool single = plane_ == 1 || none;
  const int64_t length = single ? channels_ * plane_ : plane_;
  const auto extent = static_cast<int32_t>(length);
  const int32_t step = plane_ == 1 && !none ? 1 : 0;
  for (int64_t begin = 0, channel = number * channels_; begin < channels_ * plane_;
       begin += length, ++channel) {
    BufferView<1> input(codes + begin, {{{extent, 1}}});
    BufferView<1> gamma(none ? &kOne : parameters.gamma.data() + channel,
                        {{{extent, step}}});
    BufferView<1> beta(none ? &kZero : parameters.beta.data() + channel,
                       {{{extent, step}}});
    BufferView<1> output(to + begin, {{{extent, 1}}});
    kernel_(input.get(), input_.flip, input_.zero_point, input_.scale, mean, scale,
            gamma.get(), beta.get(), lowest_, highest_, output_.reciprocal, output_.lower,
            output_.upper, output_.zero_point, output_.of_nan, output_.flip,
            output.get());
  }
}

}  // namespace qconform::kernels
