// A backend whose outputs are what its plans were made of, with a cache of plans whose
// key lacks one thing.
#include "conformance/host/earlier_plans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "conformance/host/changed_calls.h"
#include "conformance/host/changed_geometry.h"
#include "conformance/host/run_call.h"
#include "conformance/host/test_table.h"

namespace qconform {
namespace {

constexpr size_t kParameters = 12;
using Parameters = std::array<float, kParameters>;
constexpr const char* kNames[kParameters] = {
    "input scale",       "input zero point", "weight scale",      "weight zero point",
    "last weight scale", "output scale",     "output zero point", "range",
    "activation",        "stride",           "dilation",          "padding"};

size_t forgotten = kParameters;  // none
bool refuses_changes = false;
std::map<Parameters, Parameters> cache;

Parameters ParametersOf(const qc_descriptor& d) {
  const qc_tensor &x = *d.inputs[0], &w = *d.inputs[1], &y = *d.outputs[0];
  const qc_attributes& a = *d.attributes;
  const auto as_float = [](auto value) { return static_cast<float>(value); };
  return {x.scale[0],
          as_float(x.zero_point == nullptr ? 0 : x.zero_point[0]),
          w.scale[0],
          as_float(w.zero_point == nullptr ? 0 : w.zero_point[0]),
          w.scale[1],
          y.scale[0],
          as_float(y.zero_point == nullptr ? 0 : y.zero_point[0]),
          as_float(y.quant_min + 1000 * y.quant_max),
          as_float(a.activation),
          as_float(std::max<int64_t>(a.stride[0], 1)),
          as_float(std::max<int64_t>(a.dilation[0], 1)),
          as_float(a.padding_before[0])};
}

qc_status Query(void*, const qc_descriptor* d, qc_answer* answer) {
  const bool whole = d->kind == QC_CONV && d->input_count >= 2 &&
                     d->inputs[0] != nullptr && d->inputs[1] != nullptr &&
                     d->attributes->size == sizeof(qc_attributes);
  answer->supported = whole && d->inputs[0]->dtype == QC_U8 &&
                      d->inputs[1]->dtype == QC_U8 && d->outputs[0]->dtype == QC_U8 &&
                      d->attributes->activation <= QC_ACTIVATION_RELU &&
                      d->attributes->padding_mode <= QC_PADDING_CIRCULAR;
  if (answer->supported != 0 && refuses_changes)
    answer->supported = d->inputs[0]->scale[0] == 0.5f ? 1 : 0;
  if (answer->supported == 0) std::strcpy(answer->reason, "another convolution");
  answer->memory_formats = QC_CONTIGUOUS;
  return QC_OK;
}

qc_status MakePlan(void*, const qc_descriptor* d, const qc_tensor* const*, int32_t,
                   qc_plan** plan, qc_plan_info* info) {
  std::strcpy(info->path, "scalar");
  const Parameters own = ParametersOf(*d);
  Parameters key = own;
  if (forgotten < kParameters) key[forgotten] = 0;
  *plan =
      reinterpret_cast<qc_plan*>(new Parameters(cache.emplace(key, own).first->second));
  return QC_OK;
}

// Every output is a sum that each parameter changes.
qc_status Run(qc_plan* plan, const qc_tensor* const*, qc_tensor* const* outputs, void*) {
  const auto& made_of = *reinterpret_cast<const Parameters*>(plan);
  float sum = 0;
  for (size_t i = 0; i < kParameters; ++i) sum += static_cast<float>(i + 3) * made_of[i];
  const qc_tensor& y = *outputs[0];
  std::memset(y.data, static_cast<int>(4 * sum) % 251,
              static_cast<size_t>(y.shape[0] * y.shape[1] * y.shape[2] * y.shape[3]));
  return QC_OK;
}

void Destroy(qc_plan* plan) { delete reinterpret_cast<Parameters*>(plan); }

CallTensor Codes(const Shape& shape, std::vector<float> scale) {
  CallTensor tensor;
  tensor.dtype = QC_U8;
  tensor.shape = shape;
  tensor.zero_point.assign(scale.size(), 3);
  tensor.scale = std::move(scale);
  tensor.data.assign(tensor.byte_size(), std::byte{7});
  return tensor;
}

OperatorCall Convolution() {
  OperatorCall call;
  call.kind = QC_CONV;
  call.attributes = EmptyAttributes();
  call.attributes.spatial_rank = 2;
  std::fill_n(call.attributes.padding_before, 2, 1);
  std::fill_n(call.attributes.padding_after, 2, 1);
  CallTensor w = Codes({2, 1, 3, 3}, {0.25f, 0.75f});
  w.axis = 0;
  w.constant = true;
  call.inputs = {Codes({1, 1, 6, 6}, {0.5f}), w};
  call.outputs = {Codes({1, 2, 6, 6}, {1.5f})};
  call.outputs[0].data.clear();
  return call;
}

// Each test has functions of its own: a process tries some things once for each.
template <size_t>
qc_status RunOf(qc_plan* plan, const qc_tensor* const* inputs, qc_tensor* const* outputs,
                void* workspace) {
  return Run(plan, inputs, outputs, workspace);
}

template <size_t kTest>
std::byte FirstOutput() {
  cache.clear();
  const qc_backend table = TestTable("cache", Query, MakePlan, RunOf<kTest>, Destroy);
  const CallReply reply = RunCall(table, {Convolution(), 1}, [](const char*) {});
  EXPECT_FALSE(reply.runs.empty());
  if (reply.runs.empty()) return {};
  if (reply.runs[0].outputs.empty()) return {};
  return reply.runs[0].outputs[0][0];
}

template <size_t... kIs>
void ExpectSpoilt(std::byte honest, std::index_sequence<kIs...>) {
  const auto expect = [honest](size_t index, std::byte got) {
    EXPECT_NE(got, honest) << "a key without the " << kNames[index];
  };
  ((forgotten = kIs, expect(kIs, FirstOutput<kIs>())), ...);
  forgotten = kParameters;
}

TEST(EarlierPlans, SpoilACallWhoseKeyLacksAParameter) {
  const std::byte honest = FirstOutput<100>();
  ExpectSpoilt(honest, std::make_index_sequence<kParameters>());
}

TEST(EarlierPlans, AreThoseThatQueryTakes) {
  const std::byte honest = FirstOutput<101>();
  refuses_changes = true;
  forgotten = 0;
  EXPECT_EQ(FirstOutput<102>(), honest);
  refuses_changes = false;
  forgotten = kParameters;
}

TEST(ChangedCalls, DifferInOneThingAndKeepTheData) {
  const OperatorCall call = Convolution();
  std::set<std::string> names;
  for (const ChangedCall& changed : CallsOfOneChange(call)) {
    names.insert(changed.what);
    for (size_t i = 0; i < call.inputs.size(); ++i)
      EXPECT_EQ(changed.call.inputs[i]->data, call.inputs[i]->data) << changed.what;
  }
  for (const char* name :
       {"another scale of input 0", "another zero point of input 0",
        "another last scale of input 1", "another scale of output 0",
        "another zero point of output 0", "a narrower range of output 0",
        "another activation", "another geometry"})
    EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_FALSE(names.contains("the whole range of output 0"));
}

TEST(ChangedCalls, MoveWindowsUnderTheSameShapeAndUnderOthers) {
  const OperatorCall call = Convolution();
  int64_t same = 0, others = 0;
  bool stride = false, dilation = false, padding = false;
  for (const OperatorCall& other : CallsOfOtherGeometry(call)) {
    const qc_attributes& a = other.attributes;
    for (size_t d = 0; d < 2; ++d) {
      const int64_t room =
          6 + a.padding_before[d] + a.padding_after[d] - 2 * a.dilation[d] - 1;
      EXPECT_EQ(other.outputs[0].shape[2 + d], room / a.stride[d] + 1);
    }
    if (other.outputs[0].shape != call.outputs[0].shape) {
      ++others;
      continue;
    }
    ++same;
    stride = stride || a.stride[0] != 1;
    dilation = dilation || a.dilation[0] != 1;
    padding = padding || (a.stride[0] == 1 && a.dilation[0] == 1);
  }
  EXPECT_GT(others, 0);
  EXPECT_TRUE(stride && dilation && padding) << same;
}

TEST(ChangedCalls, LeaveAResidualInputItsShape) {
  OperatorCall call = Convolution();
  call.attributes.residual = 1;
  call.inputs.push_back(std::nullopt);
  call.inputs.emplace_back(Codes({1, 2, 6, 6}, {0.5f}));
  for (const OperatorCall& other : CallsOfOtherGeometry(call))
    EXPECT_EQ(other.outputs[0].shape, call.outputs[0].shape);
}

}  // namespace
}  // namespace qconform
