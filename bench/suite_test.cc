#include "bench/suite.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/record.h"
#include "conformance/host/plugin.h"
#include "reference/ir/error.h"

namespace qconform::bench {
namespace {

namespace fs = std::filesystem;

class SuiteTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "qconform_bench_test";
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  // Runs a small linear layer in a process of its own (Google Benchmark runs once in
  // each) and returns the one benchmark's record.
  nlohmann::json RunTiny(const std::string& backend, int& exit_code) {
    const fs::path suite = Write(
        "tiny.csv", std::string(kHeader) + "tiny,linear,1,64,33,1,1,1,1,1,0,relu,2\n");
    const fs::path file = folder_ / "tiny.json";
    const std::string command = std::string(QCONFORM_BENCH_BINARY) + " --backend " +
                                backend + " --suite " + suite.string() + " --json " +
                                file.string() + " > /dev/null 2> /dev/null";
    exit_code = WEXITSTATUS(std::system(command.c_str()));
    std::ifstream stream(file);
    json_ = nlohmann::json::parse(stream);
    return json_.at("benchmarks").at(0);
  }

  static constexpr char kHeader[] =
      "name,operator,groups,input_channels,output_channels,height,width,kernel_height,"
      "kernel_width,stride,padding,activation,count\n";
  fs::path folder_;
  nlohmann::json json_;
};

TEST_F(SuiteTest, ResNet50IsWhole) {
  const std::vector<Layer> layers = ReadShapeTable(SuiteFile("resnet50"));
  int64_t convolutions = 0, macs = 0;
  for (const Layer& layer : layers) {
    convolutions += layer.kind == LayerKind::kConv ? layer.count : 0;
    macs += layer.count * layer.Macs();
  }
  EXPECT_EQ(layers.size(), 30u);
  EXPECT_EQ(convolutions, 53);     // 49 in the blocks and the stem, 4 shortcuts
  EXPECT_EQ(macs, 4'089'184'256);  // the 4.09 GMAC that are quoted for ResNet-50 v1.5
}

int64_t MacsOf(const std::string& suite) {
  int64_t macs = 0;
  for (const Layer& layer : ReadShapeTable(SuiteFile(suite))) {
    macs += layer.count * layer.Macs();
  }
  return macs;
}

TEST_F(SuiteTest, MobileNetV2IsWhole) {
  int64_t depthwise = 0, convolutions = 0;
  for (const Layer& layer : ReadShapeTable(SuiteFile("mobilenet_v2"))) {
    depthwise += layer.IsDepthwise() ? layer.count : 0;
    convolutions += layer.kind == LayerKind::kConv ? layer.count : 0;
  }
  EXPECT_EQ(depthwise, 17);
  EXPECT_EQ(convolutions, 52);                     // torchvision's
  EXPECT_EQ(MacsOf("mobilenet_v2"), 300'774'272);  // 0.301 GMAC, as torchvision says
}

TEST_F(SuiteTest, BertBaseIsWhole) {
  // Of 12 layers: four projections and a feed-forward of 4 * 768, at 128 rows; scores and
  // context of 12 heads of 64; and the pooler's one row.
  const int64_t layer = 128 * (4 * 768 * 768 + 2 * 768 * 3072) + 2 * 12 * 128 * 128 * 64;
  EXPECT_EQ(MacsOf("bert_base"), 12 * layer + 768 * 768);
}

TEST_F(SuiteTest, RightOutputIsTimed) {
  int exit_code = -1;
  const nlohmann::json record = RunTiny(QCONFORM_HONEST_BACKEND, exit_code);
  EXPECT_EQ(exit_code, 0);
  EXPECT_FALSE(record.value("error_occurred", false));
  EXPECT_EQ(record.at(kMacs), 64 * 33);
  EXPECT_EQ(record.at(kLayerCount), 2);
  EXPECT_GT(record.at(kGmacPerSecond), 0);
  EXPECT_GT(record.at(kPeak), record.at(kGmacPerSecond));
  const nlohmann::json& context = json_.at("context");
  for (const char* key : {kCpuModel, kCpuCores, kCpuFeatures, kCpuGovernor, kLoadAverage,
                          kBackend, kSuite, kVersion}) {
    EXPECT_TRUE(context.contains(key)) << key;
  }
}

TEST_F(SuiteTest, WrongOutputIsNoSpeed) {
  int exit_code = -1;
  const nlohmann::json record = RunTiny(QCONFORM_WRONG_BACKEND, exit_code);
  EXPECT_EQ(exit_code, 1);
  EXPECT_TRUE(record.at("error_occurred"));
  EXPECT_NE(record.at("error_message").get<std::string>().find("of 33 codes differ"),
            std::string::npos);
}

TEST_F(SuiteTest, RefusalIsNoSpeed) {
  int exit_code = -1;
  const nlohmann::json record = RunTiny(QCONFORM_REFUSING_BACKEND, exit_code);
  EXPECT_EQ(exit_code, 1);
  EXPECT_TRUE(record.at("error_occurred"));
}

TEST_F(SuiteTest, BadInputIsOneLine) {
  SuiteOptions options;
  options.backend = QCONFORM_HONEST_BACKEND;
  options.suite = "resnet51";
  EXPECT_THROW(RunSuite(options), InputError);
  options.suite =
      Write("bad.csv", std::string(kHeader) + "x,linear,1,64,33,1,1,1,1,1,0,swish,1\n");
  try {
    RunSuite(options);
    FAIL() << "an unknown activation was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(),
              options.suite + ":2: activation 'swish', expected none, relu, relu6");
  }
  options.suite = Write("gap.csv", std::string(kHeader) + "x,linear,1\n");
  EXPECT_THROW(RunSuite(options), InputError);
  options.suite = "resnet50";
  options.json = folder_ / "no" / "such" / "folder.json";
  EXPECT_THROW(RunSuite(options), InputError);
  options.json.clear();
  options.backend = folder_ / "missing.so";
  EXPECT_THROW(RunSuite(options), BackendError);
}

}  // namespace
}  // namespace qconform::bench
