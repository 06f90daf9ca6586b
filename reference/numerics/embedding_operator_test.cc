// EMBEDDING and EMBEDDING_BAG. Expected values were printed by torch 2.14.1:
// torch.ops.quantized.embedding_* for tables with float zero points, else
// torch.nn.functional.embedding_bag on the dequantized table.
#include <gtest/gtest.h>

#include "reference/numerics/test_tensor.h"

namespace qconform {
namespace {

using Reals = std::vector<float>;

TestTensor Indices(std::vector<int64_t> shape, const std::vector<int64_t>& values) {
  TestTensor tensor(QC_S64, std::move(shape));
  std::memcpy(tensor.get().data, values.data(), values.size() * sizeof(int64_t));
  return tensor;
}

// [5, 4] with a scale and a float zero point a row; four bits: the codes modulo 16.
TestTensor RowTable(qc_dtype dtype) {
  TestTensor table(dtype, {5, 4});
  const Codes codes = PatternCodes(20);
  if (dtype == QC_U4) {
    auto* bytes = static_cast<uint8_t*>(table.get().data);
    table.get().stride[0] = 2;
    for (size_t i = 0; i < 10; ++i) {
      bytes[i] = static_cast<uint8_t>(codes[2 * i] % 16 | codes[2 * i + 1] % 16 << 4);
    }
  } else {
    WriteIntegers(table.get(), codes);
  }
  table.QuantizeRows({0.1f, 0.03f, 0.07f, 0.011f, 0.5f},
                     {-7.3f, 12.25f, 0.0f, 100.7f, 3.1f});
  return table;
}

const std::vector<int64_t> kRows = {4, 0, 1, 1, 3, 2};

struct Bags {
  TestTensor indices = Indices({6}, kRows);
  TestTensor offsets = Indices({4}, {0, 2, 2, 5});
  TestTensor y = TestTensor(QC_F32, {4, 4});
  qc_attributes attributes = EmptyAttributes();
};

TEST(Embedding, KeepsScaleAndOffsetBesideARow) {
  TestTensor indices = Indices({6}, kRows);
  TestTensor y(QC_F32, {6, 4});
  TestTensor table = RowTable(QC_U8);
  ASSERT_EQ(RunOperator(QC_EMBEDDING, EmptyAttributes(), {&indices, &table}, y).reason,
            "");
  EXPECT_EQ(y.real(),
            (Reals{79.9499969f,  116.449997f,  24.9500008f, 61.4500008f,   2.63000011f,
                   9.93000031f,  17.2299995f,  24.5300007f, 1.28250003f,   3.47249985f,
                   5.6624999f,   0.172500014f, 1.28250003f, 3.47249985f,   5.6624999f,
                   0.172500014f, 0.289299995f, 1.09229994f, -0.920700014f, -0.117699996f,
                   6.36999989f,  11.4800005f,  16.5900002f, 3.77999997f}));
}

TEST(Embedding, OfFourBitsKeepsThemInHalfPrecision) {
  TestTensor indices = Indices({6}, kRows);
  TestTensor y(QC_F32, {6, 4});
  TestTensor table = RowTable(QC_U4);
  ASSERT_EQ(table.integers(),
            (Codes{3, 12, 5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12, 5, 14}));
  ASSERT_EQ(RunOperator(QC_EMBEDDING, EmptyAttributes(), {&indices, &table}, y).reason,
            "");
  EXPECT_EQ(y.real(),
            (Reals{-0.0498046875f,       4.4501953125f,        0.9501953125f,
                   5.4501953125f,        1.0299072265625f,     1.9296875f,
                   1.2298583984375f,     2.129638671875f,      -0.157440185546875f,
                   -0.367431640625f,     -0.097442626953125f,  -0.30743408203125f,
                   -0.157440185546875f,  -0.367431640625f,     -0.097442626953125f,
                   -0.30743408203125f,   -0.9423980712890625f, -1.0194091796875f,
                   -1.0964202880859375f, -0.997406005859375f,  0.77008056640625f,
                   0.280029296875f,      0.91009521484375f,    0.4200439453125f}));
  Bags bags;
  TestTensor factors = TestTensor::Real({6}, {0.5f, 2.0f, -1.25f, 1.0f, 0.1f, 3.0f});
  ASSERT_EQ(RunOperator(QC_EMBEDDING_BAG, bags.attributes,
                        {&bags.indices, &table, &bags.offsets, &factors}, bags.y)
                .reason,
            "");
  EXPECT_EQ(
      bags.y.real(),
      (Reals{2.034912109375f, 6.08447265625f, 2.934814453125f, 6.984375f, 0.0f, 0.0f,
             0.0f, 0.0f, -0.0548797622f, -0.0100830095f, -0.0852813721f, -0.0228820816f,
             2.31024169921875f, 0.840087890625f, 2.73028564453125f, 1.2601318359375f}));
}

TEST(EmbeddingBag, SumsWithAndWithoutWeights) {
  Bags bags;
  TestTensor table = RowTable(QC_U8);
  ASSERT_EQ(RunOperator(QC_EMBEDDING_BAG, bags.attributes,
                        {&bags.indices, &table, &bags.offsets}, bags.y)
                .reason,
            "");
  const Reals sums = {82.5800018f, 126.379997f, 42.1800003f, 85.9800034f,
                      0.0f,        0.0f,        0.0f,        0.0f,
                      2.85430002f, 8.03730011f, 10.4042997f, 0.227300033f,
                      6.36999989f, 11.4800005f, 16.5900002f, 3.77999997f};
  EXPECT_EQ(bags.y.real(), sums);
  bags.attributes.include_last_offset = 1;
  TestTensor ends = Indices({5}, {0, 2, 2, 5, 6});
  TestTensor y(QC_F32, {4, 4});
  ASSERT_EQ(
      RunOperator(QC_EMBEDDING_BAG, bags.attributes, {&bags.indices, &table, &ends}, y)
          .reason,
      "");
  EXPECT_EQ(y.real(), sums);
  bags.attributes.include_last_offset = 0;
  TestTensor factors = TestTensor::Real({6}, {0.5f, 2.0f, -1.25f, 1.0f, 0.1f, 3.0f});
  RunOperator(QC_EMBEDDING_BAG, bags.attributes,
              {&bags.indices, &table, &bags.offsets, &factors}, bags.y);
  EXPECT_EQ(bags.y.real(),
            (Reals{45.2349968f, 78.0849991f, 46.9350014f, 79.7850037f, 0.0f, 0.0f, 0.0f,
                   0.0f, -0.29169482f, -0.758894682f, -1.50769448f, -0.0548950061f,
                   19.1100006f, 34.4400024f, 49.7700005f, 11.3400002f}));
}

// torch.nn.functional.embedding_bag(indices, table, offsets, mode, padding_idx=1)
TEST(EmbeddingBag, LeavesThePaddingIndexOut) {
  Bags bags;
  TestTensor table = TestTensor::Real({5, 4}, PatternReal(20, 1));
  bags.attributes.padding_index = 2;
  const auto run = [&](qc_reduction reduction) {
    bags.attributes.reduction = reduction;
    EXPECT_EQ(RunOperator(QC_EMBEDDING_BAG, bags.attributes,
                          {&bags.indices, &table, &bags.offsets}, bags.y)
                  .reason,
              "");
    return bags.y.real();
  };
  EXPECT_EQ(run(QC_REDUCTION_SUM),
            (Reals{0.3125f, 1.125f, -1.875f, -1.0625f, 0.0f, 0.0f, 0.0f, 0.0f, -0.125f,
                   -1.625f, 0.6875f, -0.8125f, -1.75f, 0.5625f, -0.9375f, 1.375f}));
  EXPECT_EQ(run(QC_REDUCTION_MEAN), (Reals{0.15625f, 0.5625f, -0.9375f, -0.53125f, 0.0f,
                                           0.0f, 0.0f, 0.0f, -0.125f, -1.625f, 0.6875f,
                                           -0.8125f, -1.75f, 0.5625f, -0.9375f, 1.375f}));
  EXPECT_EQ(run(QC_REDUCTION_MAX),
            (Reals{1.5f, 1.125f, -0.375f, 0.8125f, 0.0f, 0.0f, 0.0f, 0.0f, -0.125f,
                   -1.625f, 0.6875f, -0.8125f, -1.75f, 0.5625f, -0.9375f, 1.375f}));
  bags.attributes.padding_index = 0;
  EXPECT_EQ(run(QC_REDUCTION_MEAN),
            (Reals{0.15625f, 0.5625f, -0.9375f, -0.53125f, 0.0f, 0.0f, 0.0f, 0.0f, 0.25f,
                   -1.25f, 1.0625f, -0.4375f, -1.75f, 0.5625f, -0.9375f, 1.375f}));
}

// Rows of two dimensions are bags; codes with an integer zero point are dequantized.
TEST(EmbeddingBag, TakesBagsOfOneSizeAndTablesPerTensor) {
  TestTensor indices = Indices({2, 3}, kRows);
  TestTensor table = TestTensor::Codes(QC_U8, {5, 4}, PatternCodes(20), 0.05f, 120);
  TestTensor y(QC_F32, {2, 4});
  qc_attributes a = EmptyAttributes();
  a.padding_index = 2;
  a.reduction = QC_REDUCTION_MEAN;
  ASSERT_EQ(RunOperator(QC_EMBEDDING_BAG, a, {&indices, &table}, y).reason, "");
  EXPECT_EQ(y.real(), (Reals{-1.45000005f, 2.20000005f, -0.550000072f, 3.10000014f,
                             -0.550000012f, 3.0999999f, 0.349999905f, -2.4000001f}));
  a.reduction = QC_REDUCTION_MAX;
  RunOperator(QC_EMBEDDING_BAG, a, {&indices, &table}, y);
  EXPECT_EQ(y.real(), (Reals{2.1500001f, 5.80000019f, 2.25f, 5.9000001f, 0.349999994f,
                             4.0f, 5.8499999f, -1.5f}));
  // Codes out as well: the same parameters give the rows' codes.
  TestTensor rows = TestTensor::Codes(QC_U8, {2, 3, 4}, Codes(24, 0), 0.05f, 120);
  ASSERT_EQ(RunOperator(QC_EMBEDDING, EmptyAttributes(), {&indices, &table}, rows).reason,
            "");
  const Codes codes = PatternCodes(20);
  EXPECT_EQ(rows.integers()[0], codes[16]);
  EXPECT_EQ(rows.integers()[23], codes[11]);
}

TEST(Embedding, RefusesIndicesAndOffsetsOutside) {
  Bags bags;
  TestTensor table = RowTable(QC_U8);
  TestTensor y(QC_F32, {1, 4});
  for (const int64_t row : {-1, 5}) {
    TestTensor index = Indices({1}, {row});
    const TestRun run = RunOperator(QC_EMBEDDING, EmptyAttributes(), {&index, &table}, y);
    EXPECT_EQ(run.status, QC_INVALID);
    EXPECT_EQ(run.report.invalid, "an index is outside the table");
  }
  for (const std::vector<int64_t>& offsets :
       {std::vector<int64_t>{0, 2, 1, 5}, {0, 2, 2, 7}, {1, 2, 2, 5}}) {
    TestTensor wrong = Indices({4}, offsets);
    EXPECT_EQ(RunOperator(QC_EMBEDDING_BAG, bags.attributes,
                          {&bags.indices, &table, &wrong}, bags.y)
                  .status,
              QC_INVALID);
  }
}

TEST(Embedding, TakesNoIndicesAndNoBags) {
  TestTensor none = Indices({0}, {});
  TestTensor table = RowTable(QC_U8);
  TestTensor rows(QC_F32, {0, 4});
  EXPECT_EQ(RunOperator(QC_EMBEDDING, EmptyAttributes(), {&none, &table}, rows).status,
            QC_OK);
  TestTensor offsets = Indices({2}, {0, 0});
  TestTensor empty(QC_F32, {2, 4});
  EXPECT_EQ(
      RunOperator(QC_EMBEDDING_BAG, EmptyAttributes(), {&none, &table, &offsets}, empty)
          .status,
      QC_OK);
  EXPECT_EQ(empty.real(), Reals(8, 0.0f));
  EXPECT_EQ(RunOperator(QC_EMBEDDING_BAG, EmptyAttributes(), {&none, &table, &none}, rows)
                .status,
            QC_OK);
  TestTensor narrow = TestTensor::Real({5, 0}, {});
  TestTensor index = Indices({3}, {0, 4, 1});
  TestTensor nothing(QC_F32, {3, 0});
  EXPECT_EQ(
      RunOperator(QC_EMBEDDING, EmptyAttributes(), {&index, &narrow}, nothing).status,
      QC_OK);
}

// Float zero points and codes of four bits belong to tables.
TEST(Embedding, IsTheOnlyOneWithSuchTables) {
  TestTensor table = RowTable(QC_U8);
  TestTensor y(QC_F32, {5, 4});
  EXPECT_EQ(RunOperator(QC_DEQUANTIZE, EmptyAttributes(), {&table}, y).reason,
            "input 0 has a float zero point");
  TestTensor packed = TestTensor(QC_U4, {5, 4});
  packed.Quantize({0.1f}, {3});
  EXPECT_EQ(RunOperator(QC_DEQUANTIZE, EmptyAttributes(), {&packed}, y).reason,
            "input 0 has 4-bit codes");
}

}  // namespace
}  // namespace qconform
