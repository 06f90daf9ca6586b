#include "reference/ir/name_table.h"

#include <gtest/gtest.h>

#include "reference/ir/expect_error.h"

namespace qconform {
namespace {

TEST(NameTable, NamesBothOwnersOfANameThatIsTaken) {
  NameTable<int> table("fuser_method");
  table.Add("a.fuse", 1);
  table.Add("b.fuse", 2, "my_npu");
  EXPECT_EQ(ErrorOf([&] { table.Add("a.fuse", 3, "my_npu"); }),
            "fuser_method 'a.fuse' of my_npu: qconform registered this name already, "
            "expected another name");
  EXPECT_EQ(ErrorOf([&] { table.Add("b.fuse", 3, "their_npu"); }),
            "fuser_method 'b.fuse' of their_npu: my_npu registered this name already, "
            "expected another name");
  EXPECT_EQ(table.Get("a.fuse"), 1);
  EXPECT_EQ(table.Get("b.fuse"), 2);
}

TEST(NameTable, OffersTheNearestName) {
  NameTable<int> table("observer class");
  EXPECT_EQ(ErrorOf([&] { table.Get("x"); }),
            "observer class 'x': nobody registered it, expected a registered name");
  table.Add("HistogramObserver", 1);
  table.Add("MinMaxObserver", 2);
  EXPECT_EQ(ErrorOf([&] { table.Get("MinMaxObsever"); }),
            "observer class 'MinMaxObsever': nobody registered it, expected a registered "
            "name; the nearest is 'MinMaxObserver'");
  table.Remove("MinMaxObserver");
  EXPECT_EQ(table.Find("MinMaxObserver"), nullptr);
}

}  // namespace
}  // namespace qconform
