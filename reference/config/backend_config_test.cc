#include "reference/config/backend_config.h"

#include <gtest/gtest.h>

#include "reference/config/backend_config_json.h"
#include "reference/config/backend_config_maps.h"
#include "reference/config/dtype_config_json.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

Pattern Read(const char* text) {
  return PatternFromJson(ordered_json::parse(text), "test");
}

TEST(Pattern, KindsFollowFromTheSpelling) {
  using Kind = Pattern::Kind;
  EXPECT_EQ(Pattern::FromName("torch.nn.Conv2d").kind(), Kind::kModule);
  EXPECT_EQ(Pattern::FromName("Mine").kind(), Kind::kModule);
  EXPECT_EQ(Pattern::FromName("torch.relu").kind(), Kind::kFunction);
  EXPECT_EQ(Pattern::FromName("aten.add.Tensor").kind(), Kind::kFunction);
  EXPECT_EQ(Pattern::FromName("view").kind(), Kind::kMethod);
  EXPECT_EQ(Pattern::FromName("MatchAllNode").kind(), Kind::kMatchAll);
  EXPECT_EQ(Pattern::FromName("torch.conv2d"),
            Pattern::Function("torch.nn.functional.conv2d"));
}

TEST(Pattern, LiteralsCompareAsInPython) {
  EXPECT_EQ(Read(R"({"lit": 3})"), Read(R"({"lit": 3.0})"));
  EXPECT_EQ(Read(R"({"lit": 1})"), Read(R"({"lit": true})"));
  EXPECT_FALSE(Read(R"({"lit": 3})") == Read(R"({"lit": "3"})"));
  EXPECT_EQ(Read(R"({"lit": "view"})"), Read(R"("view")"));
}

TEST(Pattern, IsStoredReversedAndNested) {
  const auto key = [](const char* text) {
    return PatternToJson(ReversedNested(Read(text))).dump();
  };
  EXPECT_EQ(key(R"("view")"), R"("view")");
  EXPECT_EQ(key(R"(["torch.nn.Conv2d", "torch.nn.ReLU"])"),
            R"(["torch.nn.ReLU","torch.nn.Conv2d"])");
  EXPECT_EQ(key(R"(["torch.nn.Conv2d", "torch.nn.BatchNorm2d", "torch.nn.ReLU"])"),
            R"(["torch.nn.ReLU",["torch.nn.BatchNorm2d","torch.nn.Conv2d"]])");
  // Only the outer tuple is touched.
  EXPECT_EQ(key(R"([["torch.nn.Conv2d", "torch.nn.BatchNorm2d"], "torch.nn.ReLU"])"),
            R"(["torch.nn.ReLU",["torch.nn.Conv2d","torch.nn.BatchNorm2d"]])");
  for (const char* text : {"[]", R"(["torch.nn.Conv2d"])", R"(["a", "b", "c", "d"])"}) {
    EXPECT_THROW(ReversedNested(Read(text)), PipelineError) << text;
  }
}

TEST(BackendConfig, AnEqualKeyReplacesTheEntryInItsPlace) {
  BackendConfig config("b");
  BackendPatternConfig linear(Pattern::Module("torch.nn.Linear"));
  config.Set(linear);
  config.Set(BackendPatternConfig(Pattern::Method("view")));
  DTypeConfig dtypes;
  dtypes.input_dtype = DType::kQInt8;
  linear.dtype_configs = {dtypes};
  config.Set(linear);
  ASSERT_EQ(config.entries().size(), 2u);
  EXPECT_EQ(config.entries()[0].config.dtype_configs.size(), 1u);
  EXPECT_NE(config.FindSingle("torch.nn.Linear"), nullptr);
  EXPECT_EQ(config.FindSingle("torch.nn.Conv2d"), nullptr);
}

TEST(BackendConfig, OneSpellingOfAPatternOnly) {
  BackendPatternConfig config(Pattern::Module("torch.nn.Linear"));
  EXPECT_THROW(config.SetPatternComplexFormat(Pattern::MatchAll()), PipelineError);
  BackendPatternConfig empty;
  EXPECT_THROW(empty.InternalKey(), PipelineError);
}

TEST(FuserMethods, WantATuple) {
  BackendConfig config("b");
  BackendPatternConfig entry(Pattern::Module("torch.nn.Linear"));
  entry.fuser_method = "f";
  config.Set(entry);
  EXPECT_THROW(FuserMethods(config), PipelineError);
}

// torch's get_pattern_to_dtype_configs lists every entry, also one without any.
TEST(PatternToDTypeConfigs, ListsEveryEntryUnderItsInternalKey) {
  BackendConfig config("b");
  BackendPatternConfig linear(Pattern::Module("torch.nn.Linear"));
  DTypeConfig dtypes;
  dtypes.is_dynamic = true;
  linear.dtype_configs = {dtypes, DTypeConfig()};
  config.Set(linear);
  config.Set(BackendPatternConfig(Pattern::Tuple(
      {Pattern::Module("torch.nn.Linear"), Pattern::Module("torch.nn.ReLU")})));
  const auto map = PatternToDTypeConfigs(config);
  ASSERT_EQ(map.size(), 2u);
  const std::vector<DTypeConfig>* of_linear =
      map.Find(Pattern::Module("torch.nn.Linear").Text());
  ASSERT_NE(of_linear, nullptr);
  ASSERT_EQ(of_linear->size(), 2u);
  EXPECT_TRUE((*of_linear)[0].is_dynamic.value_or(false));
  // Stored last operation first.
  const std::vector<DTypeConfig>* of_fusion =
      map.Find(Pattern::Tuple(
                   {Pattern::Module("torch.nn.ReLU"), Pattern::Module("torch.nn.Linear")})
                   .Text());
  ASSERT_NE(of_fusion, nullptr);
  EXPECT_TRUE(of_fusion->empty());
}

// torch's from_dict and to_dict, in the cases that JSON can spell.
TEST(DTypeConfig, ReadsAndWritesAsTorchDoes) {
  const auto round = [](const char* text) {
    return DTypeConfigToJson(DTypeConfigFromJson(ordered_json::parse(text), "test"))
        .dump();
  };
  EXPECT_EQ(round(R"({"input_dtype": "torch.quint8", "bias_dtype": "torch.float"})"),
            R"({"input_dtype":{"dtype":"torch.quint8"},"bias_dtype":"torch.float32"})");
  // Constraints without a dtype are lost; an explicit false stays.
  EXPECT_EQ(round(R"({"input_dtype": {"quant_min_lower_bound": 0},
                      "is_dynamic": false})"),
            R"({"is_dynamic":false})");
  // The documented key bias_type is wrong and ignored.
  EXPECT_EQ(round(R"({"bias_type": "torch.float", "foo": 1})"), "{}");
}

TEST(BackendConfig, RefusesMalformedFilesWithTheLine) {
  const auto error_of = [](const char* text) -> std::string {
    const JsonFile file = JsonFile::Parse(text, "b.json");
    try {
      BackendConfigFromJson(file.root(), file);
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(
      error_of("{\"configs\": [\n{\"pattern\": \"view\",\n"
               "\"dtype_configs\": [{\"input_dtype\": \"int9\"}]}]}"),
      "b.json:3: 'input_dtype' is \"int9\", expected the name of a dtype or a dtype "
      "with constraints");
  for (const char* text :
       {"[]", R"({"configs": 1})", R"({"configs": [1]})", R"({"configs": [{}]})",
        R"({"configs": [{"pattern": ["a"]}]})", R"({"configs": [{"pattern": {}}]})",
        R"({"configs": [{"pattern": "a", "pattern_complex_format": "a"}]})",
        R"({"configs": [{"pattern": "a", "observation_type": "x"}]})",
        R"({"configs": [{"pattern": "a", "root_module": 3}]})",
        R"({"configs": [{"pattern": "a",
            "num_tensor_args_to_observation_type": {"x": "INPUT_OUTPUT_NOT_OBSERVED"}}]})",
        R"({"configs": [{"pattern": "a", "input_type_to_index": {"weight": -1}}]})"}) {
    EXPECT_NE(error_of(text), "") << text;
  }
}

}  // namespace
}  // namespace qconform
