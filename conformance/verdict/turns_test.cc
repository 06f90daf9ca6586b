#include "conformance/verdict/turns.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

TEST(TurnTarget, AStoppedRunMakesNoFurtherCallOfACase) {
  NoCallTarget worker;
  Turns turns;
  bool stopped = false;
  TurnTarget target(worker, turns, 0, [&stopped] { return stopped; });
  EXPECT_NO_THROW(target.Call(OperatorCall{}));
  stopped = true;
  EXPECT_THROW(target.Call(OperatorCall{}), Abandoned);
  EXPECT_THROW(target.Load(), Abandoned);
}

}  // namespace
}  // namespace qconform
