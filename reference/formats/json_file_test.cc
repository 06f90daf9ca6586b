#include "reference/formats/json_file.h"

#include <gtest/gtest.h>

#include "reference/formats/json_text.h"
#include "reference/formats/json_value.h"
#include "reference/ir/expect_error.h"

namespace qconform {
namespace {

std::string ParseError(const std::string& text) {
  return ErrorOf([&] { JsonFile::Parse(text, "a.json"); });
}

TEST(JsonFileTest, KnowsTheLineOfEveryValue) {
  const JsonFile file =
      JsonFile::Parse("{\n\"a\": [1,\n2,\n\n{\"b\": null}],\n\"c\": 3\n}\n", "a.json");
  const ordered_json& root = file.root();
  EXPECT_EQ(file.Where(root), "a.json:1");
  EXPECT_EQ(file.Where(root["a"][0]), "a.json:2");
  EXPECT_EQ(file.Where(root["a"][1]), "a.json:3");
  EXPECT_EQ(file.Where(root["a"][2]["b"]), "a.json:5");
  EXPECT_EQ(file.Where(root["c"]), "a.json:6");
  EXPECT_EQ(file.Where(ordered_json(3)), "a.json");
}

TEST(JsonFileTest, KeepsTheOrderOfKeys) {
  const JsonFile file = JsonFile::Parse(R"({"b": 1, "a": 2, "aa": 3})", "a.json");
  EXPECT_EQ(file.root().dump(), R"({"b":1,"a":2,"aa":3})");
}

TEST(JsonFileTest, SyntaxErrorsSayTheLine) {
  EXPECT_EQ(ParseError("{\"a\": 1,\n\"b\": tru}").substr(0, 23),
            "a.json:2: syntax error ");
  EXPECT_EQ(ParseError("").substr(0, 9), "a.json:1:");
  EXPECT_EQ(ParseError("[1,\n2").substr(0, 9), "a.json:2:");
  EXPECT_EQ(ParseError("[1]\n[2]").substr(0, 9), "a.json:2:");
  EXPECT_NE(ParseError("\"\xff\""), "no error");
  EXPECT_EQ(ParseError("[\n\n1e999]").substr(0, 9), "a.json:3:");
  EXPECT_EQ(ParseError("[\"\x01\"]").find('\n'), std::string::npos);
}

TEST(JsonFileTest, RefusesWhatJsonAllows) {
  EXPECT_EQ(ParseError("{\"a\": 1,\n\"a\": 2}"),
            "a.json:1: key 'a' stands twice in the object that begins here, expected "
            "each key once");
  EXPECT_EQ(ParseError("[\n9223372036854775808]"),
            "a.json:2: integer 9223372036854775808 is out of range, expected a signed "
            "64-bit integer");
  EXPECT_NE(ParseError("99999999999999999999999"), "no error");
  EXPECT_EQ(ParseError(std::string(64, '[') + std::string(64, ']')), "no error");
  EXPECT_EQ(ParseError(std::string(65, '[') + std::string(65, ']')),
            "a.json:1: nesting is too deep, expected at most 64 levels");
  EXPECT_NE(ParseError(std::string(1'000'000, '[')), "no error");
}

TEST(JsonFileTest, MissingFileAndFolder) {
  EXPECT_EQ(ErrorOf([] { JsonFile::Read("/nowhere/a.json"); }),
            "/nowhere/a.json: no such file, expected a readable file");
  EXPECT_EQ(ErrorOf([] { JsonFile::Read("/"); }),
            "/: this is a folder, expected a readable file");
}

TEST(JsonValueTest, TypedAccessNamesThePlace) {
  const JsonFile file = JsonFile::Parse("{\n\"a\": \"x\"}", "a.json");
  const ordered_json& a = file.root()["a"];
  EXPECT_EQ(ErrorOf([&] { RequireInteger(a, "'a'", file); }),
            "a.json:2: 'a' is \"x\", expected an integer");
  EXPECT_EQ(ErrorOf([&] { RequireMember(file.root(), "b", file); }),
            "a.json:1: 'b' is missing, expected an object with this key");
  EXPECT_EQ(ErrorOf([&] {
              RequireOnlyKeys(file.root(), "it", {"b", "c"}, file);
            }),
            "a.json:2: it has an unknown key 'a', expected one of b, c");
}

TEST(JsonTextTest, OneLineWhereItFits) {
  ordered_json value;
  value["short"] = {1, 2, 3};
  value["long"] = {{{"name", "a"}, {"n", 1}}, {{"name", "b"}, {"n", 2}}};
  EXPECT_EQ(JsonText(value, 26),
            "{\n"
            "  \"short\": [1, 2, 3],\n"
            "  \"long\": [\n"
            "    {\"name\": \"a\", \"n\": 1},\n"
            "    {\"name\": \"b\", \"n\": 2}\n"
            "  ]\n"
            "}\n");
  EXPECT_EQ(JsonText(ordered_json::array()), "[]\n");
}

TEST(JsonTextTest, FloatsComeBack) {
  for (const double value : {0.1, 1.0, -0.0, 1e-310, 1.7976931348623157e308}) {
    const JsonFile file = JsonFile::Parse(JsonText(RealToJson(value)), "a.json");
    EXPECT_TRUE(file.root().is_number_float());
    EXPECT_EQ(file.root().get<double>(), value);
  }
}

}  // namespace
}  // namespace qconform
