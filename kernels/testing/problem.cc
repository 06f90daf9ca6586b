#include "kernels/testing/problem.h"

#include <dlfcn.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <random>
#include <stdexcept>

#include "reference/numerics/scalar_operator.h"

namespace qconform::kernels {
namespace {

constexpr int64_t kGuard = 64;
constexpr uint8_t kGuardByte = 0xA5;

int64_t OutputSize(const Problem& p, int i) {
  const int64_t room =
      p.input[i] + p.before[i] + p.after[i] - ((p.kernel[i] - 1) * p.dilation[i] + 1);
  return room < 0 ? 0 : room / p.stride[i] + 1;
}

// A byte tensor with strides, guard bytes around it, and one byte of misalignment.
struct Storage {
  std::vector<uint8_t> bytes;
  qc_tensor tensor = {};
  int64_t count = 1;

  void Make(qc_dtype dtype, const std::vector<int64_t>& shape, Layout layout,
            int64_t channel_dimension) {
    tensor.size = sizeof tensor;
    tensor.dtype = dtype;
    tensor.rank = static_cast<int32_t>(shape.size());
    tensor.quantized_axis = -1;
    std::vector<int> order;  // innermost first
    for (int i = tensor.rank - 1; i >= 0; --i) order.push_back(i);
    if (layout != Layout::kContiguous && channel_dimension >= 0) {
      std::erase(order, static_cast<int>(channel_dimension));
      order.insert(order.begin(), static_cast<int>(channel_dimension));
    }
    int64_t stride = layout == Layout::kGaps ? 2 : 1;
    for (int i : order) {
      tensor.shape[i] = shape[i];
      tensor.stride[i] = stride;
      stride =
          stride * std::max<int64_t>(shape[i], 1) + (layout == Layout::kGaps ? 3 : 0);
      count *= shape[i];
    }
    bytes.assign(stride + 2 * kGuard + 1, kGuardByte);
    tensor.data = bytes.data() + kGuard + 1;
  }

  uint8_t* At(int64_t index) {
    int64_t offset = 0;
    for (int i = tensor.rank - 1; i >= 0; --i) {
      offset += index % tensor.shape[i] * tensor.stride[i];
      index /= tensor.shape[i];
    }
    return static_cast<uint8_t*>(tensor.data) + offset;
  }

  int32_t Code(int64_t index) {
    return tensor.dtype == QC_S8 ? static_cast<int8_t>(*At(index)) : *At(index);
  }

  void Fill(uint8_t value) {
    for (int64_t i = 0; i < count; ++i) *At(i) = value;
  }

  // True if no byte outside the elements was written.
  bool GuardsIntact() {
    std::vector<bool> mine(bytes.size(), false);
    for (int64_t i = 0; i < count; ++i) mine[At(i) - bytes.data()] = true;
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (!mine[i] && bytes[i] != kGuardByte) return false;
    }
    return true;
  }
};

struct Operands {
  Storage x, w, y;
  std::vector<float> bias_f32;
  std::vector<int32_t> bias_s32;
  qc_tensor bias = {};
  std::vector<float> weight_scale;
  std::vector<int32_t> weight_zero_point;
  float input_scale = 1, output_scale = 1;
  int32_t input_zero_point = 0, output_zero_point = 0;
  qc_attributes attributes = {};
  int64_t outputs = 1, inputs = 1;
};

void MakeOperands(const Problem& p, Operands& o) {
  std::mt19937 random(p.seed);
  const bool linear = p.kind == QC_LINEAR;
  o.inputs = p.groups * p.group_inputs;
  o.outputs = p.groups * p.group_outputs;
  if (linear) {
    o.x.Make(p.input_dtype, {p.batch, o.inputs}, p.input_layout, -1);
    o.y.Make(p.output_dtype, {p.batch, o.outputs}, p.output_layout, -1);
    o.w.Make(QC_S8, {o.outputs, o.inputs}, Layout::kContiguous, -1);
  } else {
    std::vector<int64_t> x = {p.batch, o.inputs}, y = {p.batch, o.outputs},
                         w = {o.outputs, p.group_inputs};
    for (int i = 0; i < p.spatial_rank; ++i) {
      x.push_back(p.input[i]);
      y.push_back(OutputSize(p, i));
      w.push_back(p.kernel[i]);
    }
    o.x.Make(p.input_dtype, x, p.input_layout, 1);
    o.y.Make(p.output_dtype, y, p.output_layout, 1);
    o.w.Make(QC_S8, w, Layout::kContiguous, 1);
  }
  const auto fill = [&](Storage& storage) {
    for (int64_t i = 0; i < storage.count; ++i) {
      const uint8_t low = storage.tensor.dtype == QC_S8 ? 0x80 : 0x00;
      const uint8_t high = storage.tensor.dtype == QC_S8 ? 0x7F : 0xFF;
      *storage.At(i) = !p.extreme          ? static_cast<uint8_t>(random())
                       : random() % 8 == 0 ? low
                                           : high;
    }
  };
  fill(o.x);
  fill(o.w);

  const double reduction = std::max<double>(
      1.0, static_cast<double>(o.w.count) / std::max<int64_t>(1, o.outputs));
  std::uniform_real_distribution<float> spread(0.5f, 2.0f);
  o.input_scale = p.powers_of_two ? 0.0625f : 0.013f * spread(random);
  o.weight_scale.reserve(1);  // quantized, even without channels: data() is not null
  o.weight_scale.resize(p.per_channel ? o.outputs : 1);
  for (float& scale : o.weight_scale) {
    scale = p.powers_of_two ? std::ldexp(1.0f, -static_cast<int>(random() % 3))
                            : 0.007f * spread(random);
  }
  const double sum = 5500.0 * std::sqrt(reduction);  // size of a usual accumulator
  const float weight = p.powers_of_two ? 1.0f : 0.007f;
  o.output_scale = static_cast<float>(sum * o.input_scale * weight / 90.0);
  if (p.powers_of_two) o.output_scale = std::exp2(std::round(std::log2(o.output_scale)));
  o.weight_zero_point.assign(o.weight_scale.size(), p.weight_zero_point);
  o.input_zero_point = p.input_zero_point;
  o.output_zero_point = p.output_zero_point;

  const auto quantize = [](qc_tensor& t, const float* scale, const int32_t* zero_point,
                           int64_t count) {
    t.scale = scale;
    t.zero_point = zero_point;
    t.qparam_count = count;
    t.quantized_axis = -1;
  };
  quantize(o.x.tensor, &o.input_scale, &o.input_zero_point, 1);
  quantize(o.y.tensor, &o.output_scale, &o.output_zero_point, 1);
  quantize(o.w.tensor, o.weight_scale.data(), o.weight_zero_point.data(),
           static_cast<int64_t>(o.weight_scale.size()));
  if (p.per_channel) o.w.tensor.quantized_axis = 0;

  o.bias.size = sizeof o.bias;
  o.bias.rank = 1;
  o.bias.quantized_axis = -1;
  o.bias.shape[0] = o.outputs;
  o.bias.stride[0] = 4;
  if (p.bias == Bias::kF32) {
    std::uniform_real_distribution<float> real(-30.0f, 30.0f);
    for (int64_t i = 0; i < o.outputs; ++i) {
      const float value = real(random) * o.output_scale;
      o.bias_f32.push_back(p.powers_of_two ? std::round(value) : value);
    }
    o.bias.dtype = QC_F32;
    o.bias.data = o.bias_f32.data();
  } else if (p.bias == Bias::kS32) {
    for (int64_t i = 0; i < o.outputs; ++i) {
      o.bias_s32.push_back(static_cast<int32_t>(random() % 4001) - 2000);
    }
    o.bias.dtype = QC_S32;
    o.bias.data = o.bias_s32.data();
  }

  qc_attributes& a = o.attributes;
  a.size = sizeof a;
  a.activation = p.activation;
  a.activation_min = -0.7f * o.output_scale * 20;
  a.activation_max = 0.9f * o.output_scale * 60;
  a.groups = p.groups;
  if (linear) return;
  a.spatial_rank = p.spatial_rank;
  for (int i = 0; i < p.spatial_rank; ++i) {
    a.kernel[i] = p.kernel[i];
    a.stride[i] = p.stride[i];
    a.dilation[i] = p.dilation[i];
    a.padding_before[i] = p.before[i];
    a.padding_after[i] = p.after[i];
  }
}

bool BiasIsS32(const Problem& p) {
  if (p.scheme != nullptr) return std::strstr(p.scheme, "bias_s32") != nullptr;
  return p.bias == Bias::kS32;
}

// The operands as a descriptor; pointers stay inside `o` and this object.
struct Call {
  const qc_tensor* inputs[3];
  qc_tensor* outputs[1];
  const qc_tensor* const_outputs[1];
  qc_descriptor descriptor = {};

  Call(const Problem& p, Operands& o) {
    inputs[0] = &o.x.tensor;
    inputs[1] = &o.w.tensor;
    inputs[2] = p.bias == Bias::kNone ? nullptr : &o.bias;
    outputs[0] = &o.y.tensor;
    const_outputs[0] = &o.y.tensor;
    descriptor.size = sizeof descriptor;
    descriptor.kind = p.kind;
    descriptor.attributes = &o.attributes;
    descriptor.inputs = inputs;
    descriptor.input_count = 3;
    descriptor.outputs = const_outputs;
    descriptor.output_count = 1;
    descriptor.scheme = p.scheme;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
};

std::vector<int32_t> OutputCodes(Operands& o) {
  std::vector<int32_t> codes;
  for (int64_t i = 0; i < o.y.count; ++i) codes.push_back(o.y.Code(i));
  return codes;
}

std::vector<int32_t> ScalarCodes(const Problem& p, Operands& o, const std::string& ties) {
  Call call(p, o);
  const std::string scheme =
      "f32/one/" + ties + (BiasIsS32(p) ? "/bias_s32" : "/bias_f32") + "/zp_after";
  call.descriptor.scheme = scheme.c_str();
  omp_set_num_threads(
      1);  // a region for every tiny problem takes longer than the problem
  if (RunScalarOperator(call.descriptor, call.inputs, call.outputs) != QC_OK) {
    std::string reason;
    DefinesOperator(call.descriptor, &reason);
    throw std::runtime_error("no scalar definition: " + reason);
  }
  return OutputCodes(o);
}

std::string RunBackend(const qc_backend& backend, const Problem& p, Operands& o,
                       const Edit& edit, std::string& path) {
  const void* data[3] = {o.x.tensor.data, o.w.tensor.data, o.y.tensor.data};
  o.x.tensor.data = o.w.tensor.data = o.y.tensor.data = nullptr;
  Call call(p, o);
  qc_descriptor& descriptor = call.descriptor;
  if (edit) {
    qc_tensor tensors[3] = {o.x.tensor, o.w.tensor, o.y.tensor};
    edit(descriptor, o.attributes, tensors);
    o.x.tensor = tensors[0];
    o.w.tensor = tensors[1];
    o.y.tensor = tensors[2];
  }
  qc_answer answer = {};
  answer.size = sizeof answer;
  if (backend.query(backend.context, &descriptor, &answer) != QC_OK)
    return "query failed";
  if (!answer.supported) return std::string("refused: ") + answer.reason;

  o.w.tensor.data = const_cast<void*>(data[1]);
  const qc_tensor* constants[3] = {nullptr, call.inputs[1], call.inputs[2]};
  qc_plan* plan = nullptr;
  qc_plan_info info = {};
  info.size = sizeof info;
  if (backend.plan(backend.context, &descriptor, constants, p.threads, &plan, &info) !=
      QC_OK) {
    return std::string("plan failed: ") + info.reason;
  }
  path = info.path;
  o.w.tensor.data = nullptr;  // constants may be gone when plan has returned
  o.x.tensor.data = const_cast<void*>(data[0]);
  o.y.tensor.data = const_cast<void*>(data[2]);
  const std::align_val_t alignment{info.workspace_alignment};
  const uint64_t size = info.workspace_bytes + kGuard;
  uint8_t* workspace = static_cast<uint8_t*>(::operator new(size, alignment));
  std::memset(workspace, kGuardByte, size);
  std::string failure;
  if (backend.run(plan, call.inputs, call.outputs, workspace) != QC_OK)
    failure = "run failed";
  for (int64_t i = 0; i < kGuard; ++i) {
    if (workspace[info.workspace_bytes + i] != kGuardByte) {
      failure = "wrote past the workspace";
    }
  }
  ::operator delete(workspace, alignment);
  backend.destroy(plan);
  if (failure.empty() && !o.y.GuardsIntact()) failure = "wrote outside the output";
  return failure;
}

}  // namespace

LoadedBackend::LoadedBackend(const std::string& file) {
  handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) throw std::runtime_error(dlerror());
  entry_ = reinterpret_cast<Entry>(dlsym(handle_, "qconform_backend"));
  if (entry_ != nullptr) table_ = entry_(QC_ABI_MAJOR, QC_ABI_MINOR);
  if (table_ == nullptr) throw std::runtime_error(file + ": no backend of this version");
}

// The object stays loaded: OpenMP's threads may still be inside it.
LoadedBackend::~LoadedBackend() = default;

Outcome Solve(const LoadedBackend& backend, const Problem& problem,
              const std::string& ties, const Edit& edit) {
  Operands operands;
  MakeOperands(problem, operands);
  Outcome outcome;
  outcome.expected = ScalarCodes(problem, operands, ties);
  operands.y.Fill(kGuardByte);
  outcome.failure = RunBackend(backend.table(), problem, operands, edit, outcome.path);
  if (!outcome.failure.empty()) return outcome;
  outcome.codes = OutputCodes(operands);
  for (size_t i = 0; i < outcome.codes.size(); ++i) {
    if (outcome.codes[i] != outcome.expected[i]) ++outcome.wrong;
  }
  return outcome;
}

}  // namespace qconform::kernels
