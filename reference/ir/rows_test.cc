#include "reference/ir/rows.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

TEST(Rows, AreCopied) {
  const Tensor all =
      Tensor::FromVector<float>(DType::kFloat32, {3, 2}, {1, 2, 3, 4, 5, 6});
  Tensor some = Rows(all, 1, 3);
  EXPECT_EQ(some.shape(), (Shape{2, 2}));
  EXPECT_EQ(some.data<float>()[0], 3);
  some.data<float>()[0] = 9;
  EXPECT_EQ(all.data<float>()[2], 3);
  EXPECT_EQ(Rows(all, 2, 2).numel(), 0);
}

}  // namespace
}  // namespace qconform
