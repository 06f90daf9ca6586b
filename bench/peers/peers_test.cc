#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/expected_codes.h"
#include "bench/google_benchmark.h"
#include "bench/layer_call.h"
#include "bench/peers/comparison.h"
#include "bench/peers/comparison_record.h"
#include "bench/peers/comparison_text.h"
#include "bench/peers/signed_call.h"
#include "bench/record.h"
#include "reference/ir/error.h"

namespace qconform::bench {
namespace {

namespace fs = std::filesystem;

constexpr char kHeader[] =
    "name,operator,groups,input_channels,output_channels,height,width,kernel_height,"
    "kernel_width,stride,padding,activation,count\n";

class PeersTest : public testing::Test {
 protected:
  void SetUp() override {
    unsetenv("QCONFORM_ISA");
    folder_ = fs::path(testing::TempDir()) / "qconform_peers_test";
    fs::create_directories(folder_);
  }
  void TearDown() override {
    fs::remove_all(folder_);
    unsetenv("QCONFORM_ISA");
  }

  ComparisonOptions Options(const std::string& rows, const std::string& backend,
                            const std::vector<fs::path>& peers) {
    std::ofstream(folder_ / "small.csv") << kHeader << rows;
    ComparisonOptions options;
    options.backend = backend;
    options.peers = peers;
    options.suites = {(folder_ / "small.csv").string()};
    options.batches = {2};
    options.threads = {1};
    options.rounds = 3;
    return options;
  }

  static Comparison Run(const ComparisonOptions& options) {
    return Compare(options, [](const Comparison&) {});
  }

  fs::path folder_;
};

constexpr char kLinear[] = "tiny,linear,1,64,33,4,1,1,1,1,0,relu,2\n";

TEST_F(PeersTest, EveryKindOfLayerIsRightAndTimed) {
  const Comparison comparison =
      Run(Options(std::string(kLinear) + "conv,conv,1,8,16,6,6,3,3,2,1,relu6,1\n" +
                      "depth,conv,8,8,8,6,6,3,3,1,1,none,1\n" +
                      "scores,matmul,2,16,24,5,1,1,1,1,0,none,1\n" +
                      "sum,add,1,8,8,6,6,1,1,1,0,relu,1\n" +
                      "most,max_pool,1,8,8,7,7,3,3,2,1,none,1\n" +
                      "mean,average_pool,1,8,8,6,6,6,6,1,0,none,1\n" +
                      "gelu,gelu,1,24,24,5,1,1,1,1,0,none,1\n" +
                      "soft,softmax,1,24,24,5,1,1,1,1,0,none,1\n" +
                      "norm,layer_norm,1,24,24,5,1,1,1,1,0,none,1\n",
                  QCONFORM_HONEST_BACKEND, {QCONFORM_HONEST_BACKEND}));
  ASSERT_EQ(comparison.rows.size(), 10u);
  EXPECT_EQ(SubjectNames(comparison),
            "scalar " QCONFORM_VERSION ", scalar " QCONFORM_VERSION);
  EXPECT_EQ(comparison.wrong, 0);
  std::vector<std::string> classes;
  for (const ComparisonRow& row : comparison.rows) {
    classes.push_back(ClassOf(row.layer));
    for (const SubjectResult& subject : row.subjects) {
      EXPECT_EQ(subject.refusal, "") << row.layer.name;
      EXPECT_EQ(subject.wrong, 0) << row.layer.name;
      EXPECT_EQ(subject.seconds.size(), 3u);
    }
    EXPECT_GT(row.copy_seconds, 0);
    EXPECT_EQ(row.peak_seconds > 0, row.layer.Multiplies()) << row.layer.name;
  }
  EXPECT_EQ(classes, (std::vector<std::string>{"GEMM", "conv", "depthwise", "GEMM",
                                               "elementwise", "pooling", "pooling",
                                               "elementwise", "normalize", "normalize"}));
  const std::string means = GeometricMeans(comparison);
  for (const char* name : {"conv", "depthwise", "GEMM", "elementwise", "pooling"}) {
    EXPECT_NE(means.find(std::string("\n") + name), std::string::npos) << means;
  }
}

TEST_F(PeersTest, PeerThatIsWrongWithNarrowWeightsIsNotTimed) {
  const Comparison comparison =
      Run(Options(kLinear, QCONFORM_HONEST_BACKEND,
                  {QCONFORM_WRONG_BACKEND, QCONFORM_REFUSING_BACKEND}));
  const ComparisonRow& row = comparison.rows.at(0);
  EXPECT_EQ(comparison.wrong, 0);
  EXPECT_TRUE(row.subjects[0].timed());
  EXPECT_NE(row.subjects[1].refusal.find("wrong with weights of 7 bits"),
            std::string::npos);
  EXPECT_TRUE(row.subjects[1].seconds.empty());
  EXPECT_FALSE(row.subjects[2].timed());
  EXPECT_EQ(comparison.refused, 1);
  EXPECT_NE(TableLine(row).find("7 bits"), std::string::npos);
  EXPECT_TRUE(TableLine(row).ends_with("-")) << TableLine(row);
}

TEST_F(PeersTest, BackendThatIsWrongIsNoSpeed) {
  const Comparison comparison =
      Run(Options(kLinear, QCONFORM_WRONG_BACKEND, {QCONFORM_HONEST_BACKEND}));
  EXPECT_EQ(comparison.wrong, 1);
  EXPECT_FALSE(comparison.rows.at(0).subjects[0].timed());
  EXPECT_NE(TableLine(comparison.rows.at(0)).find("FAILED"), std::string::npos);
  // Nothing of it counts in a mean.
  EXPECT_NE(GeometricMeans(comparison).find("GEMM         1     0"), std::string::npos);
}

std::vector<fs::path> BuiltPeers() {
  std::vector<fs::path> files;
  std::istringstream list(QCONFORM_BUILT_PEERS);
  for (std::string file; std::getline(list, file, ':');) files.emplace_back(file);
  return files;
}

// Whatever this CPU's pair sums do, weights of 7 bits give the definition's codes or
// their neighbours: a peer that misreads padding, groups, zero points or a bias does not.
TEST_F(PeersTest, BuiltPeersComputeTheSame) {
  if (BuiltPeers().empty()) GTEST_SKIP() << "no peers: ./dev bench installs them";
  ComparisonOptions options =
      Options(std::string(kLinear) + "one_row,linear,1,72,40,1,1,1,1,1,0,none,1\n" +
                  "conv,conv,1,8,16,6,9,3,3,2,1,relu6,1\n" +
                  "odd,conv,1,3,5,7,5,3,2,1,1,none,1\n" +
                  "groups,conv,4,32,16,6,6,1,1,1,0,relu,1\n" +
                  "depth,conv,16,16,16,6,6,3,3,1,1,none,1\n" +
                  "scores,matmul,2,32,24,5,1,1,1,1,0,none,1\n",
              QCONFORM_HONEST_BACKEND, BuiltPeers());
  options.threads = {1, 2};
  const Comparison comparison = Run(options);
  for (const ComparisonRow& row : comparison.rows) {
    for (size_t i = 0; i < row.subjects.size(); ++i) {
      // oneDNN's sums have no zero points, and XNNPACK has no product of activations.
      const std::string& name = comparison.names[i];
      const bool none = (name == "onednn" && row.layer.name == "sum") ||
                        (name == "xnnpack" && row.layer.kind == LayerKind::kMatmul);
      EXPECT_EQ(row.subjects[i].refusal, none ? "no such operator" : "")
          << name << row.layer.name;
      EXPECT_EQ(row.subjects[i].is_signed, name == "xnnpack" && !none) << row.layer.name;
    }
  }
}

TEST_F(PeersTest, PathOfTheMachineOrNone) {
  setenv("QCONFORM_ISA", "avx1024", 1);
  EXPECT_THROW(Run(Options(kLinear, QCONFORM_HONEST_BACKEND, {})), InputError);
  setenv("QCONFORM_ISA", "sse41", 1);
  EXPECT_EQ(Run(Options(kLinear, QCONFORM_HONEST_BACKEND, {})).path, "sse41");
}

// By hand: two rows, peers of 2 and 8 times our time, the fast one wrong in one of them.
TEST_F(PeersTest, MeansAreGeometric) {
  Comparison comparison;
  comparison.names = {"ours", "fast", "slow"};
  comparison.path = "avx2";
  for (const double unit : {1e-6, 1e-3}) {
    ComparisonRow row;
    row.layer.kind = LayerKind::kLinear;
    row.peak_seconds = unit / 4;
    row.copy_seconds = unit / 2;
    row.subjects.resize(3);
    row.subjects[0].seconds = {unit, unit, 3 * unit};
    row.subjects[1].seconds = {2 * unit, 2 * unit, 9 * unit};
    row.subjects[2].seconds = {8 * unit, 8 * unit, 8 * unit};
    row.subjects[1].far = unit < 1e-5 ? 1 : 0;
    comparison.rows.push_back(row);
  }
  const std::string means = GeometricMeans(comparison);
  EXPECT_NE(means.find("GEMM         1     2   0.50               2.00               8.00"
                       "   2.00 (2.00)   4.00 (4.00)     0"),
            std::string::npos)
      << means;
  // A peer in half our time.
  comparison.rows[0].subjects[1].seconds = {5e-7};
  EXPECT_NE(GeometricMeans(comparison).find("(4.00)     1\n"), std::string::npos);
}

// The rounds come back from the JSON, in order, as Google Benchmark's repetitions.
TEST_F(PeersTest, RecordHasEveryRound) {
  const Comparison comparison =
      Run(Options(kLinear, QCONFORM_HONEST_BACKEND, {QCONFORM_REFUSING_BACKEND}));
  const fs::path file = folder_ / "peers.json";
  {
    const GoogleBenchmark google(file, {});
    RegisterSamples(comparison);
    google.RunQuietly();
  }
  std::ifstream stream(file);
  const nlohmann::json record = nlohmann::json::parse(stream);
  std::vector<double> times;
  int errors = 0;
  for (const nlohmann::json& benchmark : record.at("benchmarks")) {
    if (benchmark.value("error_occurred", false)) {
      ++errors;
    } else if (benchmark.at("run_type") == "iteration") {
      times.push_back(benchmark.at("real_time").get<double>() * 1e-6);
      EXPECT_FALSE(benchmark.contains(kWrongCodes));
      EXPECT_GT(benchmark.at(kShareOfBound), 0);
    }
  }
  EXPECT_EQ(errors, 1);
  ASSERT_EQ(times.size(), 3u);
  for (size_t i = 0; i < times.size(); ++i) {
    EXPECT_NEAR(times[i], comparison.rows[0].subjects[0].seconds[i], 1e-9);
  }
}

// The codes of a layer in s8 are those in u8 less 128, padding and clipping too.
TEST(SignedCall, IsTheSameLayer) {
  Layer layer;
  layer.kind = LayerKind::kConv;
  layer.input_channels = 3;
  layer.output_channels = 5;
  layer.height = layer.width = 6;
  layer.kernel_height = layer.kernel_width = 3;
  layer.padding = 1;
  layer.activation = QC_ACTIVATION_RELU;
  const OperatorCall call = MakeLayerCall(layer, {.batch = 1});
  ASSERT_TRUE(HasSignedCall(call));
  const OperatorCall other = SignedCall(call);
  EXPECT_EQ(other.inputs[0]->dtype, QC_S8);
  std::vector<std::byte> codes = ExpectedCodes(other);
  EXPECT_NE(codes, ExpectedCodes(call));
  ShiftCodes(codes);
  EXPECT_EQ(codes, ExpectedCodes(call));
  EXPECT_FALSE(HasSignedCall(other));
}

TEST(NarrowWeights, NoSumOfTwoProductsLeaves16Bits) {
  Layer layer;
  layer.kind = LayerKind::kLinear;
  layer.input_channels = layer.output_channels = 64;
  const OperatorCall call = MakeLayerCall(layer, {.batch = 1, .weight_bits = 7});
  for (const std::byte code : call.inputs[1]->data) {
    EXPECT_LE(2 * 255 * std::abs(static_cast<int8_t>(code)), 32768);
  }
}

}  // namespace
}  // namespace qconform::bench
