#include "reference/ops/ops_testing.h"

namespace qconform {
namespace {

// torch.nn.functional.relu(P([9], 2))
TEST(Activation, Relu) {
  ExpectTensor(CallByName("torch.nn.functional.relu", {Pattern({9}, 2)}), {9},
               {1.375f, 0.0f, 0.0f, 0.125f, 1.0f, 0.0f, 0.0f, 0.125f, 1.0f});
}

// torch.nn.functional.relu6(P([9], 2))
TEST(Activation, Relu6) {
  ExpectTensor(CallByName("torch.nn.functional.relu6", {Pattern({9}, 2)}), {9},
               {1.375f, 0.0f, 0.0f, 0.125f, 1.0f, 0.0f, 0.0f, 0.125f, 1.0f});
}

// torch.nn.functional.hardtanh(P([9], 2), -1.0, 0.5)
TEST(Activation, Hardtanh) {
  ExpectTensor(CallByName("torch.nn.functional.hardtanh", {Pattern({9}, 2), -1.0, 0.5}),
               {9}, {0.5f, -1.0f, -0.75f, 0.125f, 0.5f, -1.0f, -0.75f, 0.125f, 0.5f});
}

// torch.nn.functional.leaky_relu(P([9], 2), 0.25)
TEST(Activation, LeakyRelu) {
  ExpectTensor(
      CallByName("torch.nn.functional.leaky_relu", {Pattern({9}, 2), 0.25}), {9},
      {1.375f, -0.40625f, -0.1875f, 0.125f, 1.0f, -0.40625f, -0.1875f, 0.125f, 1.0f});
}

// torch.nn.functional.hardswish(P([9], 2))
TEST(Activation, Hardswish) {
  ExpectTensor(CallByName("torch.nn.functional.hardswish", {Pattern({9}, 2)}), {9},
               {1.0026041f, -0.37239584f, -0.28125f, 0.065104164f, 0.6666667f,
                -0.37239584f, -0.28125f, 0.065104164f, 0.6666667f});
}

// torch.nn.functional.hardsigmoid(P([9], 2))
TEST(Activation, Hardsigmoid) {
  ExpectTensor(CallByName("torch.nn.functional.hardsigmoid", {Pattern({9}, 2)}), {9},
               {0.7291667f, 0.22916667f, 0.375f, 0.5208333f, 0.6666667f, 0.22916667f,
                0.375f, 0.5208333f, 0.6666667f});
}

// torch.nn.functional.elu(P([9], 2), 0.5), float64
TEST(Activation, Elu) {
  ExpectTensor(CallByName("torch.nn.functional.elu", {Pattern({9}, 2), 0.5}), {9},
               {1.375f, -0.40154415f, -0.2638167f, 0.125f, 1.0f, -0.40154415f,
                -0.2638167f, 0.125f, 1.0f});
}

// torch.nn.functional.gelu(P([9], 2)), float64
TEST(Activation, Gelu) {
  ExpectTensor(CallByName("torch.nn.functional.gelu", {Pattern({9}, 2)}), {9},
               {1.2587222f, -0.08463208f, -0.16997051f, 0.06871728f, 0.8413448f,
                -0.08463208f, -0.16997051f, 0.06871728f, 0.8413448f});
}

// torch.nn.functional.silu(P([9], 2)), float64
TEST(Activation, Silu) {
  ExpectTensor(CallByName("torch.nn.functional.silu", {Pattern({9}, 2)}), {9},
               {1.0975068f, -0.26733926f, -0.24061598f, 0.06640117f, 0.7310586f,
                -0.26733926f, -0.24061598f, 0.06640117f, 0.7310586f});
}

// torch.nn.functional.mish(P([9], 2)), float64
TEST(Activation, Mish) {
  ExpectTensor(CallByName("torch.nn.functional.mish", {Pattern({9}, 2)}), {9},
               {1.2673796f, -0.2889796f, -0.2764947f, 0.07995757f, 0.8650984f,
                -0.2889796f, -0.2764947f, 0.07995757f, 0.8650984f});
}

// torch.nn.functional.softmax(P([9], 2), 0), float64
TEST(Activation, Softmax) {
  ExpectTensor(CallByName("torch.nn.functional.softmax", {Pattern({9}, 2), 0}), {9},
               {0.30431876f, 0.015151138f, 0.03634569f, 0.08718878f, 0.20915501f,
                0.015151138f, 0.03634569f, 0.08718878f, 0.20915501f});
}

// torch.nn.functional.log_softmax(P([9], 2), 0), float64
TEST(Activation, LogSoftmax) {
  ExpectTensor(CallByName("torch.nn.functional.log_softmax", {Pattern({9}, 2), 0}), {9},
               {-1.1896796f, -4.1896796f, -3.3146796f, -2.4396796f, -1.5646796f,
                -4.1896796f, -3.3146796f, -2.4396796f, -1.5646796f});
}

// torch.nn.functional.gelu(P([9], 2), approximate='tanh'), float64
TEST(Activation, GeluTanh) {
  ExpectTensor(CallByName("torch.nn.functional.gelu", {Pattern({9}, 2)},
                          {{"approximate", "tanh"}}),
               {9},
               {1.2584885f, -0.08480503f, -0.17003945f, 0.0687172f, 0.841192f,
                -0.08480503f, -0.17003945f, 0.0687172f, 0.841192f});
}

// torch.softmax(P([2, 3, 2], 3), 1), float64
TEST(Activation, SoftmaxOverAMiddleAxis) {
  ExpectTensor(
      CallByName("torch.softmax", {Pattern({2, 3, 2}, 3), 1}), {2, 3, 2},
      {0.13437442f, 0.12895568f, 0.77327144f, 0.7420887f, 0.092354104f, 0.12895568f,
       0.47182432f, 0.47182432f, 0.05635138f, 0.05635138f, 0.47182432f, 0.47182432f});
}

// torch.nn.functional.prelu(P([1, 3, 2], 1), P([3], 2))
TEST(Activation, PreluPerChannel) {
  ExpectTensor(
      CallByName("torch.nn.functional.prelu", {Pattern({1, 3, 2}, 1), Pattern({3}, 2)}),
      {1, 3, 2}, {-0.34375f, 0.625f, 1.5f, 2.4375f, 0.46875f, 0.625f});
}

// torch.clamp(P([9], 2), min=-0.5, max=1.0)
TEST(Activation, Clamp) {
  ExpectTensor(
      CallByName("torch.clamp", {Pattern({9}, 2)}, {{"min", -0.5}, {"max", 1.0}}), {9},
      {1.0f, -0.5f, -0.5f, 0.125f, 1.0f, -0.5f, -0.5f, 0.125f, 1.0f});
}

// torch.sigmoid(P([9], 2)), float64
TEST(Activation, Sigmoid) {
  ExpectTensor(CallByName("torch.sigmoid", {Pattern({9}, 2)}), {9},
               {0.7981868f, 0.16451646f, 0.32082132f, 0.53120935f, 0.7310586f,
                0.16451646f, 0.32082132f, 0.53120935f, 0.7310586f});
}

// torch.tanh(P([9], 2)), float64
TEST(Activation, Tanh) {
  ExpectTensor(CallByName("torch.tanh", {Pattern({9}, 2)}), {9},
               {0.8798267f, -0.9253462f, -0.63514894f, 0.124353f, 0.7615942f, -0.9253462f,
                -0.63514894f, 0.124353f, 0.7615942f});
}

}  // namespace
}  // namespace qconform
