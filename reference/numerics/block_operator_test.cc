#include "reference/numerics/block_operator.h"

#include <gtest/gtest.h>

#include "reference/numerics/describe.h"
#include "reference/numerics/test_tensor.h"

namespace qconform {
namespace {

Codes Pattern(size_t count) {
  Codes codes;
  for (size_t i = 0; i < count; ++i) codes.push_back(static_cast<int32_t>(i * 37 % 251));
  return codes;
}

// Cut as finely as can be, the result is that of the whole.
void ExpectSame(qc_operator_kind kind, const qc_attributes& attributes,
                std::vector<int64_t> y_shape, int32_t zero_point) {
  TestTensor x = TestTensor::Codes(QC_U8, {5, 3, 8}, Pattern(120), 0.5f, 7, {0, 2, 1});
  size_t count = 1;
  for (const int64_t size : y_shape) count *= static_cast<size_t>(size);
  TestTensor whole = TestTensor::Codes(QC_U8, y_shape, Codes(count, 0), 0.5f, zero_point);
  TestTensor cut = TestTensor::Codes(QC_U8, y_shape, Codes(count, 0), 0.5f, zero_point);
  ASSERT_EQ(RunOperator(kind, attributes, {&x}, whole).reason, "");
  const qc_tensor* in[] = {&x.get()};
  qc_tensor* out[] = {&cut.get()};
  const qc_tensor* described[] = {&cut.get()};
  const qc_descriptor descriptor = Descriptor(kind, attributes, in, described);
  EXPECT_EQ(RunScalarOperatorInBlocks(descriptor, in, out, 50), QC_OK);
  EXPECT_EQ(cut.integers(), whole.integers());
}

TEST(BlockOperator, EqualsTheWhole) {
  ExpectSame(QC_RELU, EmptyAttributes(), {5, 3, 8}, 7);
  ExpectSame(QC_SIGMOID, EmptyAttributes(), {5, 3, 8}, 0);
  qc_attributes mean = EmptyAttributes();
  mean.axis_mask = 0b110;
  ExpectSame(QC_MEAN, mean, {5}, 9);
  mean.axis_mask = 0b001;  // not cut
  ExpectSame(QC_MEAN, mean, {3, 8}, 9);
  qc_attributes pool = ConvAttributes(1, 0);
  pool.kernel[0] = 3;
  ExpectSame(QC_MAX_POOL, pool, {5, 3, 6}, 7);
  qc_attributes slice = EmptyAttributes();
  slice.axis = 2;
  slice.stop[0] = 5;
  slice.stop[1] = 3;
  slice.start[2] = 2;
  slice.stop[2] = 7;
  ExpectSame(QC_SLICE, slice, {5, 3, 5}, 7);
}

}  // namespace
}  // namespace qconform
