// Public bug reports about observers, as values (the oracle tables are in cli/parity).
#include "reference/observe/observer.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "reference/numerics/quantize.h"
#include "reference/observe/fake_quantize_observer.h"
#include "reference/observe/histogram.h"
#include "reference/observe/histogram_observer.h"
#include "reference/observe/make_observer.h"

namespace qconform {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr Mode kModes[] = {Mode::kTorch, Mode::kStrict};

Tensor Real(const std::vector<float>& values) {
  return Tensor::FromVector(DType::kFloat32, {static_cast<int64_t>(values.size())},
                            values);
}

std::shared_ptr<Observer> Make(const std::string& name, OrderedMap<Argument> kwargs = {},
                               Mode mode = Mode::kTorch) {
  return MakeObserver(ObserverConstructor(name, std::move(kwargs)), mode);
}

void ExpectQparams(const Observer& observer, float scale, int64_t zero_point) {
  const Qparams qparams = observer.CalculateQparams();
  EXPECT_EQ(qparams.scale.data<float>()[0], scale);
  EXPECT_EQ(ZeroPointValue(qparams), zero_point);
}

double Total(const Observer& observer) {
  double total = 0;
  for (const float count : dynamic_cast<const HistogramObserver&>(observer).histogram()) {
    total += count;
  }
  return total;
}

// pytorch/pytorch#39239, #40191
TEST(Histogram, TakesZerosThenDataAndConstants) {
  for (const Mode mode : kModes) {
    for (const int64_t bins : {int64_t{2048}, int64_t{8}}) {
      const auto make = [&] { return Make("HistogramObserver", {{"bins", bins}}, mode); };
      const auto zeros = make();
      zeros->Observe(Real({0, 0, 0, 0}));
      zeros->Observe(Real({0, 0, 0, 0}));
      zeros->Observe(Real({0, 1}));
      EXPECT_EQ(Total(*zeros), 10);
      // Eight bins are so wide that one less is clipped away.
      ExpectQparams(*zeros, bins == 8 ? 0.0034313725773245096f : 0.003919653594493866f,
                    0);
      const auto& histogram = dynamic_cast<const HistogramObserver&>(*zeros);
      EXPECT_EQ(histogram.min_value(), 0);
      EXPECT_EQ(histogram.max_value(), 1);
      const auto single = make();
      single->Observe(Real({3}));
      EXPECT_EQ(Total(*single), 1);
      ExpectQparams(*single, 0.0117647061124444f, 0);
      const auto twos = make();
      twos->Observe(Real(std::vector<float>(8, 2)));
      twos->Observe(Real(std::vector<float>(8, 2)));
      EXPECT_EQ(Total(*twos), 16);
      ExpectQparams(*twos, 0.007843137718737125f, 0);
      const auto negative = make();
      negative->Observe(Real(std::vector<float>(8, -2)));
      EXPECT_EQ(Total(*negative), 8);
      ExpectQparams(*negative, 0.007843137718737125f, 255);
    }
  }
}

// torch.histc(torch.full((3,), 1e10), 2048, min=1e10, max=1e10): 3 in bin 1024.
TEST(Histogram, AHugeConstantLiesInTheMiddle) {
  const std::vector<float> values(3, 1e10f);
  const std::vector<float> counts = CountHistogram(values, 2048, 1e10f, 1e10f);
  EXPECT_EQ(counts[1024], 3.0f);
  EXPECT_EQ(counts[0], 0.0f);
}

// pytorch/pytorch#129387: also a batch of one element.
TEST(Histogram, CountsDataInsideTheOldRange) {
  struct Row {
    std::vector<float> batch;
    double total;
  };
  for (const Mode mode : kModes) {
    for (const Row& row : {Row{{5, 5, 5, 6}, 6}, Row{{5}, 3}}) {
      const auto observer = Make("HistogramObserver", {}, mode);
      observer->Observe(Real({0, 10}));
      observer->Observe(Real(row.batch));
      EXPECT_EQ(Total(*observer), row.total);
      const auto& histogram = dynamic_cast<const HistogramObserver&>(*observer);
      EXPECT_EQ(histogram.min_value(), 0);
      EXPECT_EQ(histogram.max_value(), 10);
      ExpectQparams(*observer, 0.03919653967022896f, 0);
    }
  }
}

// pytorch/pytorch#129387. Nested, overlapping and disjoint batches: no element is lost,
// and the clipped range stays inside the seen one.
TEST(Histogram, LosesNoFiniteElement) {
  for (const Mode mode : kModes) {
    std::mt19937 random(7);
    for (int trial = 0; trial < 50; ++trial) {
      const auto observer = Make("HistogramObserver", {{"bins", 64}}, mode);
      size_t fed = 0;
      for (int batch = 0; batch < 5; ++batch) {
        const auto low = static_cast<float>(random() % 200) / 10.0f - 10.0f;
        const auto width = static_cast<float>(random() % 100) / 10.0f;
        const size_t size = 1 + random() % 17;
        std::vector<float> values;
        for (size_t i = 0; i < size; ++i) {
          values.push_back(low + width * static_cast<float>(random() % 1000) / 999.0f);
        }
        if (batch == 3) values.push_back(kInfinity);
        fed += size;
        observer->Observe(Real(values));
      }
      const auto& histogram = dynamic_cast<const HistogramObserver&>(*observer);
      EXPECT_NEAR(Total(*observer), static_cast<double>(fed), 1e-3);  // parts of 1/16^k
      const ClippedRange range = histogram.Search();
      EXPECT_GE(range.min, histogram.min_value());
      EXPECT_LE(range.max, histogram.max_value() + 1e-5f);  // min + width * bins rounds
    }
  }
}

// pytorch/pytorch#23838 and #173075, which asks for the faulty formula: seven settings by
// six ranges, torch's own numbers.
TEST(MinMax, WidensAOneSidedRangeToZero) {
  const std::vector<std::vector<float>> ranges = {{1, 3},  {-3, -1}, {100, 101},
                                                  {-1, 3}, {0, 0},   {-0.5f, 0}};
  struct Row {
    OrderedMap<Argument> kwargs;
    std::vector<std::pair<float, int64_t>> qparams;
  };
  const Argument qint8 = DType::kQInt8;
  const Argument symmetric = "torch.per_tensor_symmetric";
  constexpr float kEps = 0x1p-23f;
  const std::vector<Row> table = {
      {{},
       {{0.0117647061124444f, 0},
        {0.0117647061124444f, 255},
        {0.3960784375667572f, 0},
        {0.015686275437474251f, 64},
        {kEps, 0},
        {0.0019607844296842813f, 255}}},
      {{{"reduce_range", true}},
       {{0.023622047156095505f, 0},
        {0.023622047156095505f, 127},
        {0.79527556896209717f, 0},
        {0.031496062874794006f, 32},
        {kEps, 0},
        {0.0039370078593492508f, 127}}},
      {{{"dtype", qint8}},
       {{0.0117647061124444f, -128},
        {0.0117647061124444f, 127},
        {0.3960784375667572f, -128},
        {0.015686275437474251f, -64},
        {kEps, -128},
        {0.0019607844296842813f, 127}}},
      {{{"dtype", qint8}, {"reduce_range", true}},
       {{0.023622047156095505f, -64},
        {0.023622047156095505f, 63},
        {0.79527556896209717f, -64},
        {0.031496062874794006f, -32},
        {kEps, -64},
        {0.0039370078593492508f, 63}}},
      {{{"dtype", qint8}, {"qscheme", symmetric}},
       {{0.0235294122248888f, 0},
        {0.0235294122248888f, 0},
        {0.7921568751335144f, 0},
        {0.0235294122248888f, 0},
        {kEps, 0},
        {0.0039215688593685627f, 0}}},
      {{{"qscheme", symmetric}},
       {{0.0235294122248888f, 128},
        {0.0235294122248888f, 128},
        {0.7921568751335144f, 128},
        {0.0235294122248888f, 128},
        {kEps, 128},
        {0.0039215688593685627f, 128}}},
      {{{"dtype", qint8},
        {"qscheme", symmetric},
        {"quant_min", -127},
        {"quant_max", 127}},
       {{0.023622047156095505f, 0},
        {0.023622047156095505f, 0},
        {0.79527556896209717f, 0},
        {0.023622047156095505f, 0},
        {kEps, 0},
        {0.0039370078593492508f, 0}}},
  };
  for (const Row& row : table) {
    for (size_t i = 0; i < ranges.size(); ++i) {
      for (const Mode mode : kModes) {
        const auto observer = Make("MinMaxObserver", row.kwargs, mode);
        observer->Observe(Real(ranges[i]));
        ExpectQparams(*observer, row.qparams[i].first, row.qparams[i].second);
      }
    }
  }
}

// The same issues: quantized with what the observer chose, 100 and 101 are the codes 252
// and 255.
TEST(MinMax, TellsTheEndsOfAOneSidedRangeApart) {
  for (const Mode mode : kModes) {
    const auto observer = Make("MinMaxObserver", {}, mode);
    observer->Observe(Real({100, 101}));
    const Qparams qparams = observer->CalculateQparams();
    for (const QuantizeMode quantize : {QuantizeMode::kTorch, QuantizeMode::kStrict}) {
      const Tensor codes =
          QuantizePerTensor(Real({100, 101}), qparams.scale.ValueAt(0),
                            ZeroPointValue(qparams), DType::kQUInt8, quantize);
      EXPECT_EQ(codes.IntegerAt(0), 252);
      EXPECT_EQ(codes.IntegerAt(1), 255);
    }
  }
}

TEST(Observers, CloneIndependently) {
  for (const char* name : {"MinMaxObserver", "MovingAverageMinMaxObserver",
                           "HistogramObserver", "FakeQuantize"}) {
    const auto original = Make(name);
    original->Observe(Real({-1, 1}));
    const auto copy = std::dynamic_pointer_cast<Observer>(original->Clone());
    const Qparams before = original->CalculateQparams();
    copy->Observe(Real({-100, 100}));
    EXPECT_TRUE(BitEqual(before.scale, original->CalculateQparams().scale)) << name;
  }
}

// Counts and extremes are the same however many threads share a large tensor.
TEST(Observers, DoNotDependOnTheSplitOfALargeTensor) {
  std::vector<float> values(200000);
  std::mt19937 random(11);
  for (float& value : values) {
    value = static_cast<float>(static_cast<int32_t>(random())) * 0x1p-31f;
  }
  const auto whole = Make("HistogramObserver");
  whole->Observe(Real(values));
  std::vector<int64_t> counts(2048);
  const auto& observer = dynamic_cast<const HistogramObserver&>(*whole);
  const float width = observer.max_value() - observer.min_value();
  for (const float value : values) {
    const auto bin =
        static_cast<size_t>((value - observer.min_value()) * 2048.0f / width);
    ++counts[std::min<size_t>(bin, 2047)];
  }
  for (size_t i = 0; i < counts.size(); ++i) {
    EXPECT_EQ(observer.histogram()[i], static_cast<float>(counts[i]));
  }
}

}  // namespace
}  // namespace qconform
