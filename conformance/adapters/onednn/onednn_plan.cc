#include "conformance/adapters/onednn/onednn_plan.h"

#include <omp.h>

#include <cstring>

#include "conformance/adapters/peer_call/peer_call.h"
#include "reference/numerics/abi_tensor.h"

namespace qconform::onednn {
namespace {

using dnnl::memory;
using Dims = memory::dims;

// oneDNN's threads are OpenMP's; their number belongs to the calling thread.
class ThreadCount {
 public:
  explicit ThreadCount(int threads) : before_(omp_get_max_threads()) {
    omp_set_num_threads(threads);
  }
  ~ThreadCount() { omp_set_num_threads(before_); }
  ThreadCount(const ThreadCount&) = delete;

 private:
  int before_;
};

memory::data_type TypeOf(const qc_tensor& tensor) {
  return tensor.dtype == QC_U8 ? memory::data_type::u8 : memory::data_type::s8;
}

Dims DimsOf(const qc_tensor& tensor) {
  return {tensor.shape, tensor.shape + tensor.rank};
}

// Dense, with the last dimension innermost, or (`channels_last`) the second.
Dims StridesOf(const Dims& dims, bool channels_last) {
  Dims strides(dims.size());
  int64_t next = 1;
  if (channels_last) {
    strides[1] = 1;
    next = dims[1];
  }
  for (size_t i = dims.size(); i-- > 0;) {
    if (channels_last && i == 1) continue;
    strides[i] = next;
    next *= dims[i];
  }
  return strides;
}

memory::desc DescOf(const qc_tensor& tensor, bool channels_last) {
  const Dims dims = DimsOf(tensor);
  return {dims, TypeOf(tensor), StridesOf(dims, channels_last)};
}

// A rank above two as rows.
memory::desc RowsOf(const qc_tensor& tensor) {
  const int64_t columns = tensor.shape[tensor.rank - 1];
  Dims dims = {columns == 0 ? 0 : ElementCount(tensor) / columns, columns};
  return {dims, TypeOf(tensor), Dims{columns, 1}};
}

int64_t OrOne(int64_t value) { return value == 0 ? 1 : value; }

void Check(dnnl_status_t status) {
  dnnl::error::wrap_c_api(status, "a primitive could not be run");
}

}  // namespace

Plan::Plan(const qc_descriptor& descriptor, const qc_tensor* const* constants,
           int threads)
    : threads_(threads), empty_(HasNoElements(descriptor)) {
  if (empty_) return;
  const ThreadCount count(threads_);
  engine_ = dnnl::engine(dnnl::engine::kind::cpu, 0);
  stream_ = dnnl::stream(engine_);
  attributes_.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  switch (descriptor.kind) {
    case QC_CONV:
      PlanConvolution(descriptor, constants);
      break;
    case QC_LINEAR:
      PlanLinear(descriptor, constants);
      break;
    case QC_MAX_POOL:
    case QC_ADAPTIVE_AVG_POOL:
      PlanPool(descriptor);
      break;
    default:
      PlanMatmul(descriptor);
  }
  workspace_bytes_ = scratch_desc_.get_size();
  idle_.push_back(MakeArguments());
}

void Plan::SetAttributes(const qc_descriptor& descriptor, int channel_mask) {
  const std::vector<float> multipliers = OutputMultipliers(descriptor);
  const bool per_channel = descriptor.inputs[1]->quantized_axis >= 0;
  attributes_.set_scales_mask(DNNL_ARG_WEIGHTS, per_channel ? channel_mask : 0);
  const auto count = static_cast<int64_t>(multipliers.size());
  memory scales({{count}, memory::data_type::f32, Dims{1}}, engine_);
  std::memcpy(scales.get_data_handle(), multipliers.data(), 4 * multipliers.size());
  constants_.emplace_back(DNNL_ARG_ATTR_SCALES | DNNL_ARG_WEIGHTS, scales);
  const std::vector<std::pair<int, const qc_tensor*>> tensors = {
      {DNNL_ARG_SRC, descriptor.inputs[0]},
      {DNNL_ARG_WEIGHTS, has_second_ ? descriptor.inputs[1] : nullptr},
      {DNNL_ARG_DST, descriptor.outputs[0]}};
  for (const auto& [argument, tensor] : tensors) {
    const int32_t zero_point = tensor == nullptr ? 0 : ZeroPointAt(*tensor);
    if (zero_point == 0) continue;
    attributes_.set_zero_points_mask(argument, 0);
    memory value({{1}, memory::data_type::s32, Dims{1}}, engine_);
    std::memcpy(value.get_data_handle(), &zero_point, 4);
    constants_.emplace_back(DNNL_ARG_ATTR_ZERO_POINTS | argument, value);
  }
  const ResultBounds bounds = ResultBoundsOf(descriptor);
  if (!bounds.saturates) {
    dnnl::post_ops clip;
    clip.append_eltwise(dnnl::algorithm::eltwise_clip, bounds.lower, bounds.upper);
    attributes_.set_post_ops(clip);
  }
}

void Plan::Pack(const qc_tensor& weight, const memory::desc& plain,
                const memory::desc& packed) {
  memory from(plain, engine_, weight.data);
  memory to(packed, engine_);
  dnnl::reorder(from, to).execute(stream_, from, to);
  stream_.wait();
  constants_.emplace_back(DNNL_ARG_WEIGHTS, to);
}

void Plan::KeepBias(const qc_descriptor& descriptor, const qc_tensor* const* constants) {
  const std::vector<float> values = BiasInCodes(descriptor, *constants[2]);
  const auto count = static_cast<int64_t>(values.size());
  // Of the shape that the primitive wants; the bytes are the same.
  const Dims dims = descriptor.kind == QC_CONV ? Dims{count} : Dims{1, count};
  memory bias({dims, memory::data_type::f32, StridesOf(dims, false)}, engine_);
  std::memcpy(bias.get_data_handle(), values.data(), 4 * values.size());
  constants_.emplace_back(DNNL_ARG_BIAS, bias);
}

void Plan::PlanConvolution(const qc_descriptor& descriptor,
                           const qc_tensor* const* constants) {
  const qc_attributes& attributes = *descriptor.attributes;
  const qc_tensor& weight = *descriptor.inputs[1];
  const int64_t groups = OrOne(attributes.groups);
  const auto rank = static_cast<size_t>(weight.rank) - 2;
  Dims dims = DimsOf(weight);
  if (groups > 1) {
    dims[0] /= groups;
    dims.insert(dims.begin(), groups);
  }
  SetAttributes(descriptor, groups > 1 ? 3 : 1);
  Dims stride(rank), dilation(rank), before(rank), after(rank);
  for (size_t i = 0; i < rank; ++i) {
    stride[i] = OrOne(attributes.stride[i]);
    dilation[i] = OrOne(attributes.dilation[i]) - 1;
    before[i] = attributes.padding_before[i];
    after[i] = attributes.padding_after[i];
  }
  source_desc_ = DescOf(*descriptor.inputs[0], true);
  result_desc_ = DescOf(*descriptor.outputs[0], true);
  const memory::desc any(dims, memory::data_type::s8, memory::format_tag::any);
  const memory::desc plain(dims, memory::data_type::s8, StridesOf(dims, false));
  const qc_tensor* bias = BiasOf(descriptor);
  const memory::desc bias_desc =
      bias == nullptr ? memory::desc()
                      : memory::desc({weight.shape[0]}, memory::data_type::f32, Dims{1});
  using Forward = dnnl::convolution_forward;
  const Forward::primitive_desc chosen(engine_, dnnl::prop_kind::forward_inference,
                                       dnnl::algorithm::convolution_direct, source_desc_,
                                       any, bias_desc, result_desc_, stride, dilation,
                                       before, after, attributes_);
  Pack(*constants[1], plain, chosen.weights_desc());
  if (bias != nullptr) KeepBias(descriptor, constants);
  scratch_desc_ = chosen.scratchpad_desc();
  primitive_ = Forward(chosen);
}

void Plan::PlanLinear(const qc_descriptor& descriptor,
                      const qc_tensor* const* constants) {
  const qc_tensor& weight = *descriptor.inputs[1];
  const Dims dims = {weight.shape[1], weight.shape[0]};
  SetAttributes(descriptor, 2);
  source_desc_ = RowsOf(*descriptor.inputs[0]);
  result_desc_ = RowsOf(*descriptor.outputs[0]);
  const memory::desc any(dims, memory::data_type::s8, memory::format_tag::any);
  const memory::desc plain(dims, memory::data_type::s8, Dims{1, weight.shape[1]});
  const qc_tensor* bias = BiasOf(descriptor);
  const memory::desc bias_desc =
      bias == nullptr ? memory::desc()
                      : memory::desc({1, weight.shape[0]}, memory::data_type::f32,
                                     Dims{weight.shape[0], 1});
  const dnnl::matmul::primitive_desc chosen(engine_, source_desc_, any, bias_desc,
                                            result_desc_, attributes_);
  Pack(*constants[1], plain, chosen.weights_desc());
  if (bias != nullptr) KeepBias(descriptor, constants);
  scratch_desc_ = chosen.scratchpad_desc();
  primitive_ = dnnl::matmul(chosen);
}

void Plan::PlanMatmul(const qc_descriptor& descriptor) {
  has_second_ = true;
  SetAttributes(descriptor, 0);
  source_desc_ = DescOf(*descriptor.inputs[0], false);
  second_desc_ = DescOf(*descriptor.inputs[1], false);
  result_desc_ = DescOf(*descriptor.outputs[0], false);
  const dnnl::matmul::primitive_desc chosen(engine_, source_desc_, second_desc_,
                                            result_desc_, attributes_);
  scratch_desc_ = chosen.scratchpad_desc();
  primitive_ = dnnl::matmul(chosen);
}

void Plan::PlanPool(const qc_descriptor& descriptor) {
  PoolWindow window = PoolWindowOf(descriptor);
  for (int64_t& dilation : window.dilation) --dilation;
  source_desc_ = DescOf(*descriptor.inputs[0], true);
  result_desc_ = DescOf(*descriptor.outputs[0], true);
  using Forward = dnnl::pooling_forward;
  const Forward::primitive_desc chosen(
      engine_, dnnl::prop_kind::forward_inference,
      descriptor.kind == QC_MAX_POOL ? dnnl::algorithm::pooling_max
                                     : dnnl::algorithm::pooling_avg_exclude_padding,
      source_desc_, result_desc_, window.stride, window.kernel, window.dilation,
      window.before, window.after, attributes_);
  scratch_desc_ = chosen.scratchpad_desc();
  primitive_ = Forward(chosen);
}

std::unique_ptr<Plan::Arguments> Plan::MakeArguments() const {
  auto arguments = std::make_unique<Arguments>();
  const auto add = [&](int argument, const memory::desc& desc) {
    memory& own =
        arguments->owned.emplace_back(desc, engine_, static_cast<void*>(nullptr));
    arguments->list.push_back({argument, own.get()});
    return own.get();
  };
  arguments->source = add(DNNL_ARG_SRC, source_desc_);
  arguments->result = add(DNNL_ARG_DST, result_desc_);
  arguments->scratch = add(DNNL_ARG_SCRATCHPAD, scratch_desc_);
  arguments->second =
      has_second_ ? add(DNNL_ARG_WEIGHTS, second_desc_) : dnnl_memory_t{nullptr};
  for (const auto& [argument, value] : constants_) {
    arguments->list.push_back({argument, value.get()});
  }
  return arguments;
}

void Plan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
               void* workspace) {
  if (empty_) return;
  std::unique_ptr<Arguments> arguments;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!idle_.empty()) {
      arguments = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!arguments) arguments = MakeArguments();
  Check(dnnl_memory_set_data_handle(arguments->source, inputs[0]->data));
  if (has_second_) Check(dnnl_memory_set_data_handle(arguments->second, inputs[1]->data));
  Check(dnnl_memory_set_data_handle(arguments->result, outputs[0]->data));
  Check(dnnl_memory_set_data_handle(arguments->scratch, workspace));
  {
    const ThreadCount count(threads_);
    Check(dnnl_primitive_execute(primitive_.get(), stream_.get(),
                                 static_cast<int>(arguments->list.size()),
                                 arguments->list.data()));
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  idle_.push_back(std::move(arguments));
}

}  // namespace qconform::onednn
