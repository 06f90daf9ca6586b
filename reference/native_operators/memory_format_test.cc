// What torch's results owe to memory formats, with the codes that torch printed.
#include "reference/native_operators/memory_format.h"

#include <gtest/gtest.h>

#include "reference/ir/error.h"
#include "reference/native_operators/iterated_strides.h"
#include "reference/native_operators/native_registry.h"
#include "reference/native_operators/operator_run.h"

namespace qconform {
namespace {

using Codes = std::vector<int64_t>;

Tensor Quantized(Shape shape, const std::vector<uint8_t>& codes, double scale,
                 int64_t zero_point) {
  Tensor tensor = Tensor::FromVector<uint8_t>(DType::kQUInt8, std::move(shape), codes);
  tensor.set_quantization(PerTensor(scale, zero_point));
  return tensor;
}

Codes CodesOf(const Tensor& tensor) {
  Codes codes;
  for (int64_t i = 0; i < tensor.numel(); ++i) codes.push_back(tensor.IntegerAt(i));
  return codes;
}

Tensor RunFunction(const Registry& registry, const std::string& name,
                   std::vector<Value> args) {
  return *(*registry.FindFunction(name))(Call(name, std::move(args))).As<Tensor>();
}

Tensor RunMethod(const Registry& registry, const std::string& name,
                 std::vector<Value> args) {
  return *(*registry.FindMethod(name))(Call(name, std::move(args))).As<Tensor>();
}

// An image of one row, whose memory holds `codes` pixel after pixel or channel after
// channel.
Tensor Row(const Registry& registry, int64_t channels, const std::vector<uint8_t>& codes,
           double scale, int64_t zero_point, bool channels_last) {
  const auto width = static_cast<int64_t>(codes.size()) / channels;
  if (!channels_last) return Quantized({1, channels, 1, width}, codes, scale, zero_point);
  return RunMethod(
      registry, "permute",
      {Quantized({1, 1, width, channels}, codes, scale, zero_point), 0, 3, 1, 2});
}

TEST(MemoryFormat, StridesSuggestIt) {
  const Shape shape = {2, 3, 4, 5};
  EXPECT_TRUE((Placement{shape, ChannelsLastStrides(shape)}.SuggestsChannelsLast()));
  EXPECT_FALSE((Placement{shape, RowMajorStrides(shape)}.SuggestsChannelsLast()));
  // Half of the channels: no gaps are asked for.
  const Placement slice = {shape, ChannelsLastStrides({2, 6, 4, 5})};
  EXPECT_TRUE(slice.SuggestsChannelsLast());
  EXPECT_FALSE(slice.IsChannelsLast());
  // Contiguous in both formats.
  const Shape one_channel = {2, 1, 4, 5};
  EXPECT_TRUE((Placement{one_channel, RowMajorStrides(one_channel)}.IsChannelsLast()));
  EXPECT_FALSE(
      (Placement{one_channel, RowMajorStrides(one_channel)}.SuggestsChannelsLast()));
  const Shape pixel = {2, 3, 1, 1};
  EXPECT_TRUE((Placement{pixel, ChannelsLastStrides(pixel)}.SuggestsChannelsLast()));
  EXPECT_TRUE((Placement{pixel, ChannelsLastStrides(pixel)}.IsRowMajor()));
}

TEST(MemoryFormat, AViewNeedsTheMemoryInOrder) {
  const Shape shape = {2, 3, 4, 5};
  const Placement image = {shape, ChannelsLastStrides(shape)};
  EXPECT_EQ(image.ViewAs({2, 3, 20}), (Strides{60, 1, 3}));
  EXPECT_EQ(image.ViewAs({2, 60}), std::nullopt);
  EXPECT_EQ((Placement{shape, RowMajorStrides(shape)}.ViewAs({2, 60})), (Strides{60, 1}));
}

// A tensor with the storage of another one that lies otherwise gets its own.
TEST(MemoryFormat, KeepsTensorsApart) {
  MemoryFormats formats;
  Tensor image(DType::kFloat32, {1, 2, 2, 2});
  const Tensor other(DType::kFloat32, {1});
  formats.Set(image, ChannelsLastStrides(image.shape()), other);
  Tensor same = image;
  formats.Set(same, RowMajorStrides(image.shape()), image);
  EXPECT_TRUE(formats.Of(image).SuggestsChannelsLast());
  EXPECT_FALSE(formats.Of(same).SuggestsChannelsLast());
  EXPECT_NE(same.bytes(), image.bytes());
}

TEST(MemoryFormat, KeepsARowMajorTensorApartFromItsCopy) {
  MemoryFormats formats;
  const Tensor rows(DType::kFloat32, {1, 2, 2, 2});
  Tensor image = rows;
  formats.Set(image, ChannelsLastStrides(image.shape()), rows);
  EXPECT_TRUE(formats.Of(image).SuggestsChannelsLast());
  EXPECT_FALSE(formats.Of(rows).SuggestsChannelsLast());
  EXPECT_NE(rows.bytes(), image.bytes());
}

// What torch gives a sum of floats, and of codes unless the first addend has its shape.
TEST(MemoryFormat, BroadcastOperandsOrderTheAxes) {
  const Shape shape = {2, 3, 4, 4};
  const Placement image = {shape, ChannelsLastStrides(shape)};
  const Placement rows = {shape, RowMajorStrides(shape)};
  const Shape column = {2, 3, 4, 1};
  EXPECT_EQ(IteratedStrides({image, rows}, shape), image.strides);
  EXPECT_EQ(IteratedStrides({rows, image}, shape), rows.strides);
  EXPECT_EQ(IteratedStrides({{column, {12, 4, 1, 1}}, image}, shape), rows.strides);
  EXPECT_EQ(IteratedStrides({{column, {12, 1, 3, 3}}, image}, shape), image.strides);
  EXPECT_EQ(IteratedStrides({{column, {12, 1, 3, 3}}, rows}, shape),
            (Strides{48, 4, 12, 1}));
  EXPECT_EQ(IteratedStrides({{{4}, {1}}, image}, shape), image.strides);
}

// Each gives a channels-last tensor or a row-major one, which a view in order shows.
TEST(MemoryFormat, FloatsKeepItUnlessListed) {
  const Registry registry = NativeRegistry("qnnpack");
  const Tensor rows(DType::kFloat32, {1, 2, 2, 2});
  const Tensor image =
      RunMethod(registry, "permute", {Tensor(DType::kFloat32, {1, 2, 2, 2}), 0, 3, 1, 2});
  const auto is_row_major = [&](const Tensor& tensor) {
    try {
      RunMethod(registry, "view", {tensor, 1, -1});
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  EXPECT_TRUE(is_row_major(rows));
  EXPECT_FALSE(is_row_major(image));
  for (const char* name : {"torch.sin", "torch.exp", "torch.log", "torch.abs"}) {
    EXPECT_FALSE(is_row_major(RunFunction(registry, name, {image}))) << name;
    EXPECT_TRUE(is_row_major(RunFunction(registry, name, {rows}))) << name;
  }
  EXPECT_FALSE(is_row_major(RunFunction(registry, "torch.minimum", {image, rows})));
  EXPECT_TRUE(is_row_major(RunFunction(registry, "torch.minimum", {rows, image})));
  EXPECT_TRUE(is_row_major(RunFunction(registry, "torch.softmax", {image, 1})));
  const OpaqueValue channels_last = {"torch.channels_last"};
  for (const char* name : {"contiguous", "clone", "to"}) {
    const FunctionDefinition& copy = *registry.FindMethod(name);
    const Value copied = copy(Call(name, {rows}, {{"memory_format", channels_last}}));
    EXPECT_FALSE(is_row_major(*copied.As<Tensor>())) << name;
    EXPECT_TRUE(is_row_major(rows)) << name;
  }
  EXPECT_TRUE(is_row_major(RunMethod(registry, "contiguous", {image})));
  EXPECT_FALSE(is_row_major(image));
}

TEST(MemoryFormat, QnnpackClampsInTheOrderOfMemory) {
  for (const char* engine : {"qnnpack", "fbgemm"}) {
    const Registry registry = NativeRegistry(engine);
    const Tensor image = Row(registry, 3, {0, 1, 2, 3, 4, 5}, 0.1, 0, true);
    EXPECT_EQ(CodesOf(image), (Codes{0, 3, 1, 4, 2, 5}));
    const bool is_qnnpack = engine == std::string("qnnpack");
    for (const char* name :
         {"torch.nn.functional.relu6", "torch.nn.functional.hardtanh"}) {
      // Bounds of hardtanh: -1 and 1.
      EXPECT_EQ(CodesOf(RunFunction(registry, name, {image})),
                is_qnnpack ? (Codes{0, 1, 2, 3, 4, 5}) : (Codes{0, 3, 1, 4, 2, 5}))
          << engine << " " << name;
    }
    const Tensor straight = Row(registry, 3, {0, 1, 2, 3, 4, 5}, 0.1, 0, false);
    EXPECT_EQ(CodesOf(RunFunction(registry, "torch.nn.functional.relu6", {straight})),
              (Codes{0, 1, 2, 3, 4, 5}));
  }
}

// relu keeps the format, so that the clamp behind it sees it; QNNPACK's clamp drops it.
TEST(MemoryFormat, PassesThroughOperators) {
  const Registry registry = NativeRegistry("qnnpack");
  const Tensor image = Row(registry, 3, {0, 1, 2, 3, 4, 5}, 0.1, 0, true);
  const Tensor rectified = RunFunction(registry, "torch.nn.functional.relu", {image});
  EXPECT_EQ(CodesOf(rectified), (Codes{0, 3, 1, 4, 2, 5}));
  const Tensor clamped = RunFunction(registry, "torch.nn.functional.relu6", {rectified});
  EXPECT_EQ(CodesOf(clamped), (Codes{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(CodesOf(RunFunction(registry, "torch.nn.functional.relu6", {clamped})),
            CodesOf(clamped));
  EXPECT_THROW(RunMethod(registry, "view", {rectified, 1, -1}), InputError);
  EXPECT_EQ(CodesOf(RunMethod(registry, "reshape", {rectified, 1, -1})),
            CodesOf(rectified));
  EXPECT_EQ(CodesOf(RunMethod(registry, "view", {clamped, 1, -1})), CodesOf(clamped));
}

// One pixel of three channels is contiguous in both formats.
TEST(MemoryFormat, InterpolatesOnePixelChannelByChannel) {
  const Registry registry = NativeRegistry("fbgemm");
  const Tensor pixel = Quantized({1, 3, 1, 1}, {7, 8, 9}, 0.1, 0);
  const FunctionDefinition& interpolate =
      *registry.FindFunction("torch.nn.functional.interpolate");
  const Value got = interpolate(Call("up", {pixel}, {{"scale_factor", 2.0}}));
  EXPECT_EQ(CodesOf(*got.As<Tensor>()), (Codes{7, 8, 9, 7, 8, 9, 7, 8, 9, 7, 8, 9}));
}

// pytorch/pytorch#108924: ties at an odd zero point.
TEST(MemoryFormat, AveragesRoundByIt) {
  struct Case {
    const char* engine;
    bool channels_last;
    Codes codes;
  };
  const Codes of_code = {10, 12, 0};
  const Codes of_distance = {11, 11, 1};
  for (const Case& row :
       {Case{"fbgemm", false, of_code}, Case{"fbgemm", true, of_distance},
        Case{"qnnpack", false, of_distance}, Case{"qnnpack", true, of_distance}}) {
    const Registry registry = NativeRegistry(row.engine);
    // Two channels of these pairs.
    const std::vector<uint8_t> pixels = {10, 10, 11, 11, 11, 11, 12, 12, 0, 0, 1, 1};
    const std::vector<uint8_t> planes = {10, 11, 11, 12, 0, 1, 10, 11, 11, 12, 0, 1};
    const Tensor image =
        Row(registry, 2, row.channels_last ? pixels : planes, 0.5, 3, row.channels_last);
    Codes want = row.codes;
    want.insert(want.end(), row.codes.begin(), row.codes.end());
    EXPECT_EQ(CodesOf(RunFunction(registry, "torch.nn.functional.avg_pool2d",
                                  {image, Value::List({1, 2})})),
              want)
        << row.engine;
  }
}

// The last axes of a row-major tensor, QNNPACK's planes, others.
TEST(MemoryFormat, MeansRoundByIt) {
  const std::vector<uint8_t> codes = {10, 11, 11, 12};
  for (const char* engine : {"fbgemm", "qnnpack"}) {
    const Registry registry = NativeRegistry(engine);
    const Tensor rows = Quantized({2, 1, 1, 2}, codes, 0.5, 3);
    const bool is_qnnpack = engine == std::string("qnnpack");
    EXPECT_EQ(CodesOf(RunFunction(registry, "torch.mean", {rows, Value::List({2, 3})})),
              is_qnnpack ? (Codes{11, 11}) : (Codes{10, 12}));
    EXPECT_EQ(CodesOf(RunFunction(registry, "torch.mean", {rows, Value::List({-2, -1})})),
              (Codes{10, 12}));
    const Tensor columns = RunMethod(registry, "transpose",
                                     {Quantized({2, 2}, {10, 11, 11, 12}, 0.5, 3), 0, 1});
    EXPECT_EQ(CodesOf(RunFunction(registry, "torch.mean", {columns, 1})),
              (Codes{11, 11}));
  }
}

// 0.05 / (0.05 * 6) lies below 1 / 6 in float32: 3 / 6 and 9 / 6 round towards zero.
TEST(MemoryFormat, QnnpackMultipliesByTheInverse) {
  const Registry registry = NativeRegistry("qnnpack");
  for (const auto& [last, want] : {std::pair<uint8_t, int64_t>{103, 100}, {109, 101}}) {
    const Tensor row =
        Quantized({1, 1, 1, 6}, {100, 100, 100, 100, 100, last}, 0.05, 100);
    EXPECT_EQ(CodesOf(RunFunction(registry, "torch.nn.functional.avg_pool2d",
                                  {row, Value::List({1, 6})})),
              Codes{want});
    EXPECT_EQ(CodesOf(RunFunction(registry, "torch.nn.functional.adaptive_avg_pool2d",
                                  {row, 1})),
              Codes{want});
    EXPECT_EQ(CodesOf(RunFunction(registry, "torch.mean", {row, Value::List({2, 3})})),
              Codes{want});
  }
}

}  // namespace
}  // namespace qconform
