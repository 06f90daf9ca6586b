// Where torch's config objects hold each other by reference, ours do when asked.
#include <gtest/gtest.h>

#include "reference/config/backend_config.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

DTypeConfig Input(DType dtype) {
  DTypeConfig config;
  config.input_dtype = dtype;
  return config;
}

TEST(DTypeConfigList, IsSharedOnlyWhenAsked) {
  DTypeConfigList list = {Input(DType::kQUInt8)};
  BackendPatternConfig a(Pattern::Module("torch.nn.Linear"));
  BackendPatternConfig b(Pattern::Module("torch.nn.Conv2d"));
  a.dtype_configs.ShareWith(list);
  b.dtype_configs.ShareWith(list);
  const BackendPatternConfig copy = a;
  a.dtype_configs.push_back(Input(DType::kQInt8));
  EXPECT_EQ(b.dtype_configs.size(), 2u);
  EXPECT_EQ(list.size(), 2u);
  EXPECT_EQ(copy.dtype_configs.size(), 1u);
  // A new value leaves the others what they had.
  a.dtype_configs = std::vector<DTypeConfig>{};
  EXPECT_TRUE(a.dtype_configs.empty());
  EXPECT_EQ(b.dtype_configs.size(), 2u);
}

TEST(BackendConfig, SeesChangesOfAnEntryThatItWasGivenByReference) {
  const auto entry =
      std::make_shared<BackendPatternConfig>(Pattern::Module("torch.nn.Linear"));
  BackendConfig config("b");
  config.Set(std::shared_ptr<const BackendPatternConfig>(entry));
  config.Set(BackendPatternConfig(Pattern::Module("torch.nn.ReLU")));
  entry->dtype_configs.push_back(Input(DType::kQInt8));
  entry->SetPattern(Pattern::Module("torch.nn.Conv2d"));
  EXPECT_EQ(config.entries()[0].config.dtype_configs.size(), 1u);
  // The key was made when the entry was set.
  EXPECT_EQ(config.entries()[0].key, Pattern::Module("torch.nn.Linear"));
  EXPECT_EQ(*config.entries()[0].config.pattern, Pattern::Module("torch.nn.Conv2d"));
  // A replacement takes the place; a copy of the config is not affected.
  BackendConfig copy;
  copy = config;
  BackendPatternConfig other(Pattern::Module("torch.nn.Linear"));
  other.root_module = "torch.nn.Linear";
  config.Set(other);
  EXPECT_EQ(config.entries().size(), 2u);
  EXPECT_EQ(config.entries()[0].config.root_module, "torch.nn.Linear");
  EXPECT_EQ(copy.entries()[0].config.root_module, "");
}

TEST(BackendConfig, RefusesTuplesOfOtherLengthsInTorchsWords) {
  BackendConfig config("b");
  const auto refusal = [&config](std::vector<Pattern> items) -> std::string {
    try {
      config.Set(BackendPatternConfig(Pattern::Tuple(std::move(items))));
    } catch (const PipelineError& error) {
      return error.kind() + ": " + error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({}), "ValueError: Expected a tuple with 2 or 3 elements, got: ()");
  EXPECT_EQ(refusal({Pattern::Module("torch.nn.Conv2d")}),
            "ValueError: Expected a tuple with 2 or 3 elements, got: "
            "(<class 'torch.nn.modules.conv.Conv2d'>,)");
  EXPECT_TRUE(config.entries().empty());
}

}  // namespace
}  // namespace qconform
