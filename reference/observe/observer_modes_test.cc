// What torch's observers do and what they declare: both values of each case.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "reference/ir/expect_error.h"
#include "reference/observe/fake_quantize_observer.h"
#include "reference/observe/histogram_observer.h"
#include "reference/observe/make_observer.h"
#include "reference/qconfig/observer_settings.h"

namespace qconform {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr Mode kModes[] = {Mode::kTorch, Mode::kStrict};

Tensor Real(const std::vector<float>& values, Shape shape = {}) {
  if (shape.empty()) shape = {static_cast<int64_t>(values.size())};
  return Tensor::FromVector(DType::kFloat32, std::move(shape), values);
}

std::shared_ptr<Observer> Make(const std::string& name, Mode mode,
                               OrderedMap<Argument> kwargs = {}) {
  return MakeObserver(ObserverConstructor(name, std::move(kwargs)), mode);
}

std::vector<double> Scales(const Observer& observer) {
  const Tensor scale = observer.CalculateQparams().scale;
  std::vector<double> values;
  for (int64_t i = 0; i < scale.numel(); ++i) values.push_back(scale.ValueAt(i));
  return values;
}

std::vector<int64_t> ZeroPoints(const Observer& observer) {
  const Tensor zero_point = observer.CalculateQparams().zero_point;
  std::vector<int64_t> values;
  for (int64_t i = 0; i < zero_point.numel(); ++i) {
    values.push_back(zero_point.IntegerAt(i));
  }
  return values;
}

constexpr const char* kTensorObservers[] = {
    "MinMaxObserver", "MovingAverageMinMaxObserver", "HistogramObserver", "FakeQuantize"};
constexpr const char* kChannelObservers[] = {"PerChannelMinMaxObserver",
                                             "MovingAveragePerChannelMinMaxObserver"};

// pytorch/pytorch#49800: torch gives 1.0 and 0 whatever the qscheme is.
TEST(EmptyInput, KeepsTheZeroPointOfTheScheme) {
  struct Row {
    OrderedMap<Argument> kwargs;
    bool is_symmetric;
    int64_t strict;
  };
  const std::vector<Row> rows = {{{}, false, 0},
                                 {{{"dtype", DType::kQInt8}}, false, 0},
                                 {{{"dtype", DType::kQInt8}}, true, 0},
                                 {{}, true, 128},
                                 {{{"quant_min", 0}, {"quant_max", 127}}, true, 63}};
  const auto expect = [&rows](const char* name, const std::string& granularity,
                              const Shape& shape) {
    for (const Row& row : rows) {
      for (const Mode mode : kModes) {
        OrderedMap<Argument> kwargs = row.kwargs;
        if (row.is_symmetric) {
          kwargs.Set("qscheme", "torch." + granularity + "_symmetric");
        }
        const auto observer = Make(name, mode, kwargs);
        observer->Observe(Tensor(DType::kFloat32, shape));
        EXPECT_EQ(Scales(*observer), std::vector<double>{1.0}) << name;
        EXPECT_EQ(ZeroPoints(*observer),
                  std::vector<int64_t>{mode == Mode::kStrict ? row.strict : 0})
            << name;
        EXPECT_EQ(observer->NonFiniteCount(), 0);
      }
    }
  };
  for (const char* name : kTensorObservers) expect(name, "per_tensor", {0});
  for (const char* name : kChannelObservers) {
    for (const Shape& shape : {Shape{0}, Shape{0, 2}, Shape{2, 0}}) {
      expect(name, "per_channel", shape);
    }
  }
}

// pytorch/pytorch#49800: after data, a batch without elements changes nothing.
TEST(EmptyInput, ChangesNothing) {
  const auto expect = [](const char* name, const Tensor& data, const Tensor& empty,
                         const std::vector<double>& scales) {
    for (const Mode mode : kModes) {
      const auto observer = Make(name, mode);
      observer->Observe(data);
      observer->Observe(empty);
      EXPECT_EQ(Scales(*observer), scales) << name;
      EXPECT_EQ(ZeroPoints(*observer), std::vector<int64_t>(scales.size(), 0)) << name;
      EXPECT_EQ(observer->NonFiniteCount(), 0);
      const auto* histogram = dynamic_cast<const HistogramObserver*>(observer.get());
      if (histogram == nullptr) continue;
      double total = 0;
      for (const float count : histogram->histogram()) total += count;
      EXPECT_EQ(total, 2);
    }
  };
  constexpr float kOneStep = 0.0039215688593685627f;
  for (const char* name : kTensorObservers) {
    const bool is_histogram = std::string(name) == "HistogramObserver";
    expect(name, Real({0, 1}), Real({}, {0}),
           {is_histogram ? 0.003919653594493866f : kOneStep});
  }
  for (const char* name : kChannelObservers) {
    for (const Shape& shape : {Shape{0}, Shape{2, 0}, Shape{0, 1}}) {
      expect(name, Real({0, 1}, {2, 1}), Tensor(DType::kFloat32, shape),
             {0x1p-23, kOneStep});
    }
  }
}

// pytorch/pytorch#49800, microsoft/onnxruntime#23749: what is not finite is left out and
// counted. torch takes it into the scale, its histogram drops infinities only.
TEST(NonFiniteInput, IsLeftOutAndCountedInStrictMode) {
  struct Row {
    std::vector<std::vector<float>> batches;
    double torch_scale;  // of MinMaxObserver
    int64_t torch_zero_point_qint8;
    int64_t left_out;
  };
  const std::vector<Row> rows = {
      {{{0, 1, kNaN}}, kNaN, 127, 1},
      {{{0, 1}, {kInfinity}}, kInfinity, -128, 1},
      {{{kInfinity, kInfinity, kInfinity, kInfinity}, {0, 1}}, kInfinity, -128, 4},
      {{{-kInfinity, 0, kNaN, 1, kInfinity}}, kNaN, 127, 3}};
  for (const Row& row : rows) {
    for (const DType dtype : {DType::kQUInt8, DType::kQInt8}) {
      const auto torch = Make("MinMaxObserver", Mode::kTorch, {{"dtype", dtype}});
      for (const auto& batch : row.batches) torch->Observe(Real(batch));
      const double scale = Scales(*torch)[0];
      EXPECT_TRUE(scale == row.torch_scale ||
                  (std::isnan(scale) && std::isnan(row.torch_scale)))
          << scale;
      EXPECT_EQ(ZeroPoints(*torch)[0],
                dtype == DType::kQUInt8 ? 0 : row.torch_zero_point_qint8);
      for (const char* name :
           {"MinMaxObserver", "MovingAverageMinMaxObserver", "FakeQuantize",
            "FusedMovingAvgObsFakeQuantize", "HistogramObserver"}) {
        OrderedMap<Argument> kwargs = {{"dtype", dtype}};
        if (dtype == DType::kQInt8 && std::string(name).find("Fused") == 0) {
          kwargs.Set("quant_min", -128);
          kwargs.Set("quant_max", 127);
        }
        const auto strict = Make(name, Mode::kStrict, kwargs);
        // A fake-quantizer needs parameters at once.
        size_t first = 0;
        if (strict->IsFakeQuantize() && row.batches[0].size() == 4) {
          EXPECT_EQ(ErrorKindOf([&] { strict->Forward(Real(row.batches[0])); }),
                    "ValueError");
          first = 1;
        }
        for (size_t i = first; i < row.batches.size(); ++i) {
          strict->Observe(Real(row.batches[i]));
        }
        EXPECT_EQ(strict->NonFiniteCount(), row.left_out) << name;
        // As for [0, 1], of which a histogram clips a bin.
        const bool is_histogram = std::string(name) == "HistogramObserver";
        EXPECT_EQ(Scales(*strict)[0],
                  is_histogram ? 0.003919653594493866f : 0.0039215688593685627f)
            << name;
        EXPECT_EQ(ZeroPoints(*strict)[0], dtype == DType::kQUInt8 ? 0 : -128) << name;
      }
    }
  }
}

// The same issues, one batch of 0 and infinity: all that is finite is 0.
TEST(NonFiniteInput, BesideZeroInOneBatch) {
  for (const DType dtype : {DType::kQUInt8, DType::kQInt8}) {
    const std::vector<int64_t> zero_point = {dtype == DType::kQUInt8 ? 0 : -128};
    for (const char* name : kTensorObservers) {
      for (const Mode mode : kModes) {
        const auto observer = Make(name, mode, {{"dtype", dtype}});
        observer->Observe(Real({0, kInfinity}));
        const bool keeps_infinity =
            mode == Mode::kTorch && std::string(name) != "HistogramObserver";
        EXPECT_EQ(Scales(*observer),
                  std::vector<double>{keeps_infinity ? kInfinity : 0x1p-23f})
            << name;
        EXPECT_EQ(ZeroPoints(*observer), zero_point) << name;
        if (mode == Mode::kStrict) {
          EXPECT_EQ(observer->NonFiniteCount(), 1) << name;
        }
      }
    }
  }
}

TEST(NonFiniteInput, OfHistograms) {
  for (const Mode mode : kModes) {
    const auto observer = Make("HistogramObserver", mode);
    observer->Observe(Real({kInfinity, kInfinity, kInfinity, kInfinity}));
    observer->Observe(Real({0, 1}));
    EXPECT_EQ(Scales(*observer)[0], 0.003919653594493866f);
    EXPECT_EQ(observer->NonFiniteCount(), 4);
    EXPECT_EQ(ErrorKindOf([&] {
                observer->Observe(Real({0, kNaN}));
              }),
              mode == Mode::kTorch ? "RuntimeError" : "");
  }
}

TEST(NonFiniteInput, AloneIsAnErrorInStrictMode) {
  for (const char* name :
       {"MinMaxObserver", "MovingAverageMinMaxObserver", "HistogramObserver"}) {
    for (const float value : {kNaN, kInfinity, -kInfinity}) {
      const auto observer = Make(name, Mode::kStrict);
      observer->Observe(Real({value, value, value}));
      EXPECT_EQ(ErrorKindOf([&] { observer->CalculateQparams(); }), "ValueError") << name;
      observer->Observe(Real({0, 1}));
      EXPECT_TRUE(std::isfinite(Scales(*observer)[0]));
      EXPECT_EQ(observer->NonFiniteCount(), 3);
    }
  }
}

// Channel 0 is finite, channel 1 is not at first, channel 2 never.
TEST(NonFiniteInput, OfChannels) {
  for (const char* name :
       {"PerChannelMinMaxObserver", "MovingAveragePerChannelMinMaxObserver"}) {
    const auto observer = Make(name, Mode::kStrict);
    observer->Observe(Real({-1, 0, kNaN, kInfinity, 2, kNaN}, {3, 2}));
    EXPECT_EQ(observer->NonFiniteCount(), 3);
    EXPECT_EQ(ErrorKindOf([&] { observer->CalculateQparams(); }), "ValueError");
    observer->Observe(Real({-1, 0, 0, 1, kInfinity, kNaN}, {3, 2}));
    EXPECT_EQ(observer->NonFiniteCount(), 5);
    const auto all = Scales(*observer);
    EXPECT_EQ(all[0], 1.0f / 255);
    EXPECT_EQ(all[1], 1.0f / 255);
    EXPECT_EQ(all[2], 2.0f / 255);
  }
}

// The difference of the ends does not fit into float32, the scale does.
TEST(WideRange, HasAFiniteScaleInStrictMode) {
  for (const Mode mode : kModes) {
    const auto observer = Make("MinMaxObserver", mode);
    observer->Observe(Real({-3e38f, 3e38f}));
    EXPECT_EQ(std::isfinite(Scales(*observer)[0]), mode == Mode::kStrict);
    if (mode == Mode::kStrict) {
      EXPECT_FLOAT_EQ(Scales(*observer)[0], 6e38 / 255);
    }
  }
}

TEST(PerChannel, TakesOneDimensionInStrictMode) {
  for (const char* name :
       {"PerChannelMinMaxObserver", "MovingAveragePerChannelMinMaxObserver"}) {
    EXPECT_EQ(ErrorKindOf([&] {
                Make(name, Mode::kTorch)->Observe(Real({-255, 0, 510}));
              }),
              "IndexError");
    const auto strict = Make(name, Mode::kStrict);
    strict->Observe(Real({-255, 0, 510}));
    EXPECT_EQ(Scales(*strict), (std::vector<double>{1, 0x1p-23, 2}));
    EXPECT_EQ(ZeroPoints(*strict), (std::vector<int64_t>{255, 0, 0}));
    EXPECT_EQ(ErrorKindOf([&] { strict->Observe(Real({1}, {1, 1})); }), "RuntimeError");
  }
}

// "If unspecified, it will follow the 8-bit setup."
TEST(LoneBound, TakesTheOtherFromTheDTypeInStrictMode) {
  struct Row {
    OrderedMap<Argument> kwargs;
    int64_t torch_min, torch_max, strict_min, strict_max;
  };
  const Argument qint8 = DType::kQInt8;
  const std::vector<Row> rows = {
      {{{"dtype", qint8}, {"quant_min", -127}}, -128, 127, -127, 127},
      {{{"dtype", qint8}, {"quant_max", 63}}, -128, 127, -128, 63},
      {{{"quant_max", 127}}, 0, 255, 0, 127},
      {{{"quant_max", 127}, {"reduce_range", true}}, 0, 127, 0, 63},
      {{{"dtype", qint8}, {"quant_min", -127}, {"quant_max", 127}}, -127, 127, -127, 127},
  };
  for (const Row& row : rows) {
    for (const Mode mode : kModes) {
      const int64_t min = mode == Mode::kTorch ? row.torch_min : row.strict_min;
      const int64_t max = mode == Mode::kTorch ? row.torch_max : row.strict_max;
      for (const char* name : {"MinMaxObserver", "HistogramObserver", "FakeQuantize"}) {
        const ObserverConstructor constructor(name, row.kwargs);
        const auto observer = MakeObserver(constructor, mode);
        EXPECT_EQ(observer->quant_min, min) << name;
        EXPECT_EQ(observer->quant_max, max) << name;
        const ObserverSettings settings = DescribeObserver(constructor, mode);
        EXPECT_EQ(settings.quant_min, min) << name;
        EXPECT_EQ(settings.quant_max, max) << name;
      }
    }
  }
}

TEST(ImpossibleCodes, AreRefusedInStrictMode) {
  const OrderedMap<Argument> outside = {{"quant_min", -128}, {"quant_max", 127}};
  EXPECT_EQ(ErrorKindOf([&] { Make("MinMaxObserver", Mode::kTorch, outside); }), "");
  EXPECT_EQ(ErrorKindOf([&] { Make("MinMaxObserver", Mode::kStrict, outside); }),
            "AssertionError");
  // The zero point 128 is none of 0 to 127; of torch's observers this one forgets it.
  const OrderedMap<Argument> reduced = {{"qscheme", "torch.per_tensor_symmetric"},
                                        {"reduce_range", true}};
  EXPECT_EQ(ErrorKindOf([&] { Make("MinMaxObserver", Mode::kTorch, reduced); }),
            "NotImplementedError");
  EXPECT_EQ(ErrorKindOf([&] { Make("HistogramObserver", Mode::kTorch, reduced); }), "");
  EXPECT_EQ(ErrorKindOf([&] { Make("HistogramObserver", Mode::kStrict, reduced); }),
            "NotImplementedError");
}

// torch's fused class chooses other parameters in training than convert does: for weights
// of [-1, 0.5] 1 / 128 and 1 / 127.5.
TEST(FusedFakeQuantize, TrainsWithWhatConvertsInStrictMode) {
  for (const Mode mode : kModes) {
    const auto observer = Make("FusedMovingAvgObsFakeQuantize", mode,
                               {{"dtype", DType::kQInt8},
                                {"qscheme", "torch.per_tensor_symmetric"},
                                {"quant_min", -128},
                                {"quant_max", 127}});
    observer->Forward(Real({-1, 0.5f}));
    const auto& fake_quantize = dynamic_cast<const FakeQuantizeObserver&>(*observer);
    EXPECT_EQ(fake_quantize.scale().ValueAt(0),
              mode == Mode::kTorch ? 0.0078125f : 0.007843137718737125f);
    EXPECT_EQ(Scales(*observer)[0], 0.007843137718737125f);
  }
}

TEST(FakeQuantizePerChannel, SaturatesInfinitiesInStrictMode) {
  for (const Mode mode : kModes) {
    ObserverConstructor constructor("FakeQuantize",
                                    {{"quant_min", 0}, {"quant_max", 255}});
    constructor.observer =
        std::make_shared<ObserverConstructor>("MovingAveragePerChannelMinMaxObserver");
    const auto made = MakeObserver(constructor, mode);
    auto& fake_quantize = dynamic_cast<FakeQuantizeObserver&>(*made);
    made->Forward(Real({0, 255, 0, 510}, {2, 2}));
    fake_quantize.observer_enabled = false;
    const Tensor y = made->Forward(Real({kInfinity, -kInfinity, 1e20f, kNaN}, {2, 2}));
    EXPECT_EQ(y.ValueAt(0), mode == Mode::kTorch ? 0 : 255);
    EXPECT_EQ(y.ValueAt(1), 0);
    EXPECT_EQ(y.ValueAt(2), mode == Mode::kTorch ? 0 : 510);
    EXPECT_EQ(y.ValueAt(3), 0);
  }
}

}  // namespace
}  // namespace qconform
