#include "reference/pt2e/quantization_config.h"

#include <gtest/gtest.h>

#include "reference/ir/error.h"

namespace qconform {
namespace {

QuantizationSpec Affine() {
  QuantizationSpec spec;
  spec.dtype = DType::kUInt8;
  spec.observer = ObserverConstructor("MinMaxObserver");
  spec.qscheme = QScheme::kPerTensorAffine;
  return spec;
}

QuantizationConfigPointer With(QuantizationSpecPointer QuantizationConfig::*member,
                               QuantizationSpecPointer spec) {
  auto config = std::make_shared<QuantizationConfig>();
  (*config).*member = std::move(spec);
  return config;
}

template <typename Call>
std::string KindOf(const Call& call) {
  try {
    call();
  } catch (const PipelineError& error) {
    return error.kind();
  }
  return "";
}

TEST(QuantizationConfigTest, SpecRefusesWhatTorchaosClassRefuses) {
  QuantizationSpec upside_down = Affine();
  upside_down.quant_min = 3;
  upside_down.quant_max = 2;
  EXPECT_EQ(KindOf([&] { MakeSpec(upside_down); }), "ValueError");
  QuantizationSpec negative = Affine();
  negative.ch_axis = -1;
  EXPECT_EQ(KindOf([&] { MakeSpec(negative); }), "ValueError");
}

TEST(QuantizationConfigTest, GettersReturnNoneForNone) {
  EXPECT_EQ(InputActivationSpec(nullptr), nullptr);
  EXPECT_EQ(WeightSpec(std::make_shared<QuantizationConfig>()), nullptr);
}

TEST(QuantizationConfigTest, GettersRefuseWhatTorchaosRefuse) {
  QuantizationSpec channels = Affine();
  channels.qscheme = QScheme::kPerChannelSymmetric;
  const QuantizationSpecPointer per_channel = MakeSpec(channels);
  const QuantizationSpecPointer affine = MakeSpec(Affine());
  using Config = QuantizationConfig;
  EXPECT_EQ(InputActivationSpec(With(&Config::input_activation, affine)), affine);
  EXPECT_EQ(WeightSpec(With(&Config::weight, per_channel)), per_channel);
  EXPECT_EQ(KindOf([&] {
              OutputActivationSpec(With(&Config::output_activation, per_channel));
            }),
            "AssertionError");
  EXPECT_EQ(KindOf([&] { WeightSpec(With(&Config::weight, affine)); }), "ValueError");
  EXPECT_EQ(KindOf([&] { BiasSpec(With(&Config::bias, affine)); }), "AssertionError");
}

}  // namespace
}  // namespace qconform
