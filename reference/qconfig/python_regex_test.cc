// Python's regular expressions; the answers are those of Python 3.11's re.match.
#include "reference/qconfig/python_regex.h"

#include <gtest/gtest.h>

#include "reference/ir/error.h"

namespace qconform {
namespace {

bool Matches(const char* expression, const char* text) {
  return PythonRegex(expression, "module_name_regex").MatchesAtStart(text);
}

TEST(PythonRegex, IsAnchoredAtTheStartOnly) {
  EXPECT_TRUE(Matches("blk", "blk2.fc"));
  EXPECT_FALSE(Matches("fc", "blk.fc"));
  EXPECT_FALSE(Matches("blk$", "blk2"));
  EXPECT_TRUE(Matches("blk$", "blk\n"));
  EXPECT_FALSE(Matches(R"(blk\Z)", "blk\n"));
  EXPECT_TRUE(Matches(R"(\Ablk)", "blk"));
  EXPECT_TRUE(Matches("", "anything"));
}

TEST(PythonRegex, ReadsWhatIsPythonsOwn) {
  EXPECT_TRUE(Matches("(?P<n>a)(?P=n)", "aab"));
  EXPECT_FALSE(Matches("(?P<n>a)(?P=n)", "ab"));
  EXPECT_TRUE(Matches("(?i)BLK", "blk"));
  EXPECT_TRUE(Matches("(?i:B)lk", "blk"));
  EXPECT_TRUE(Matches("a(?<=a)b", "ab"));
  EXPECT_TRUE(Matches(R"(layer[12]\.\d++\.conv)", "layer1.0.conv2"));
  EXPECT_TRUE(Matches("(?>a*)b", "aab"));
  EXPECT_TRUE(Matches("a{,2}b", "ab"));
  EXPECT_TRUE(Matches("a{2", "a{2"));
  EXPECT_TRUE(Matches("(?x) b l k  # a block", "blk"));
  EXPECT_TRUE(Matches("(a)?(?(1)b|c)", "cd"));
  EXPECT_TRUE(Matches(R"(\w+$)", "caf\xc3\xa9"));
  EXPECT_FALSE(Matches(R"((?a)\w+$)", "caf\xc3\xa9"));
  EXPECT_FALSE(Matches(R"(\v)", "\n"));
  EXPECT_TRUE(Matches("[[:alpha:]]+", "a]"));
}

TEST(PythonRegex, RefusesWhatPythonRefuses) {
  for (const char* expression :
       {R"(\h)",   R"(\R)",     R"(\K)",  "(?R)",      "(*UTF)a",
        R"(\8)",   R"([a-\d])", R"(\pL)", "a(?i)b",    R"(\Q)",
        R"(\z)",   "(?|a|b)",   "(?1)",   "*a",        "a**",
        "x{1}{2}", "(?<n>a)",   R"(\cA)", R"(\x{41})", "(?-i)a",
        "(?L)a",   "(?<!a+)b",  "{1}",    "(?P<1>a)",  "(?P<n>a)(?P<n>b)",
        R"(\1)",   "[z-a]",     "a{3,2}", "(?",        "(a",
        "a)",      "[a",        "a\\",    "(^)*^*",    "(?(y)a)",
        R"(\400)"}) {
    EXPECT_THROW(PythonRegex(expression, "module_name_regex"), InputError) << expression;
  }
}

TEST(PythonRegex, GivesUpOnEndlessSearches) {
  const PythonRegex expression("(a|aa)+$", "module_name_regex");
  EXPECT_THROW(expression.MatchesAtStart(std::string(60, 'a') + "!"), InputError);
}

}  // namespace
}  // namespace qconform
