#include "reference/exported/sympy_text.h"

#include <gtest/gtest.h>

#include "reference/ir/expect_error.h"

namespace qconform {
namespace {

constexpr char kSymbol[] = "Symbol('s77', positive=True, integer=True)";

TEST(SympyText, WritesAsSympyDoes) {
  const std::string s = kSymbol;
  EXPECT_EQ(SympyText(s, "f"), "s77");
  EXPECT_EQ(SympyText("Integer(-3)", "f"), "-3");
  EXPECT_EQ(SympyText("Add(Integer(1), Mul(Integer(2), " + s + "))", "f"), "2*s77 + 1");
  EXPECT_EQ(SympyText("Add(Integer(-1), Mul(Integer(-1), " + s + "))", "f"), "-s77 - 1");
  EXPECT_EQ(SympyText("Mul(Integer(2), Add(" + s + ", Integer(1)))", "f"), "2*(s77 + 1)");
  EXPECT_EQ(SympyText("Pow(" + s + ", Integer(2))", "f"), "s77**2");
  EXPECT_EQ(SympyText("FloorDiv(" + s + ", Integer(2))", "f"), "FloorDiv(s77, 2)");
}

TEST(SympyText, RefusesOtherText) {
  for (const char* text : {"", "Symbol(", "Symbol('s77'", "Symbol('s77', positive)",
                           "Add()", "Symbol('a\nb')", "Integer(1) Integer(2)"}) {
    const std::string error = ErrorOf([&] { SympyText(text, "f"); });
    EXPECT_TRUE(error.starts_with("f: the size '")) << text << ": " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "Add(";
  EXPECT_NE(ErrorOf([&] { SympyText(deep, "f"); }).find("64 levels"), std::string::npos);
}

}  // namespace
}  // namespace qconform
