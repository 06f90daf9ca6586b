// The digests are those of datasets/export/seeded_weights.py.
#include "datasets/seeded_weights.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "reference/formats/sha256.h"
#include "reference/formats/write_file.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

std::string DigestOf(const Tensor& tensor) {
  return Sha256Hex(std::string_view(reinterpret_cast<const char*>(tensor.bytes()),
                                    tensor.byte_size()));
}

TEST(SeededWeights, HaveTheBitsOfPython) {
  const auto digest = [](const std::string& path, const Shape& shape) {
    return DigestOf(SeededTensor("kaiming.1", path, DType::kFloat32, shape));
  };
  EXPECT_EQ(digest("a.weight", {3, 5, 2}),
            "2f6f96625fee60581b7fe316843b6e89af421a40f6276e154e9fd54e421ebc46");
  EXPECT_EQ(digest("a.weight", {4}),
            "b3ab03baaa6d482d18456ef59b13b5fea91d76d0e10e723e2d02ba66c2c8a303");
  EXPECT_EQ(digest("a.running_var", {3}),
            "3e0b6c5f58e951d82d540f92e62fe1721d325c64b49906d394ca4da7ae52fed7");
  EXPECT_EQ(digest("a.bias", {3}),
            "a45743d32a52219b9de04c83e2999a58fe9af902a55ecfb0c48fbc1d49b63032");
  EXPECT_EQ(digest("layer1.0.conv1.weight", {64, 64, 3, 3}),
            "d4f009d6c825d3775726f17201127c8c781f0ec04fd65520b7bafcc19fedade8");
  EXPECT_EQ(DigestOf(SeededInput("kaiming.1", 0, {2, 3, 64, 64})),
            "d35a35bb6c7120fa748ecb01efda6891fa17623e41ae9abb1a6066b6f2460dbe");
}

TEST(SeededWeights, IntegersAreZero) {
  const Tensor tensor =
      SeededTensor("kaiming.1", "bn.num_batches_tracked", DType::kInt64, {});
  EXPECT_EQ(tensor.IntegerAt(0), 0);
}

TEST(SeededWeights, AnotherSeedGivesOtherValues) {
  EXPECT_FALSE(BitEqual(SeededTensor("kaiming.1", "a.bias", DType::kFloat32, {9}),
                        SeededTensor("kaiming.2", "a.bias", DType::kFloat32, {9})));
}

TEST(SeededWeights, UnknownFillsAreRefused) {
  RequireSeededFill("kaiming.12", "--fill");
  for (const char* name :
       {"", "kaiming", "kaiming.", "kaiming.01", "kaiming.x", "he.1"}) {
    EXPECT_THROW(RequireSeededFill(name, "--fill"), InputError) << name;
  }
}

// A graph of one linear layer, its weight of `shape`.
std::filesystem::path GraphFile(const std::string& name, const std::string& shape,
                                const std::string& more = "") {
  const auto path = std::filesystem::temp_directory_path() / name;
  WriteFileAtomically(path, R"({"graph": [
{"name": "x", "op": "placeholder", "target": "x", "args": [], "kwargs": {}},
{"name": "fc", "op": "call_module", "target": "fc", "args": [{"n": "x"}], "kwargs": {}},
{"name": "output", "op": "output", "target": "output", "args": [{"n": "fc"}], "kwargs": {}}],
"modules": {"fc": {"type": "torch.nn.Linear", "params": {"bias": null, "weight":
{"dtype": "float32", "tensor": "fc.weight", "shape": )" +
                                shape + "}}}}" + more + "}");
  return path;
}

TEST(SeededWeights, FillAGraphWithoutTensors) {
  const auto path = GraphFile("qconform_seeded.graph.json", "[2, 3]");
  const GraphModule graph = ReadSeededGraph(path, "kaiming.7");
  const Tensor* weight = graph.FindTensor("fc.weight");
  ASSERT_NE(weight, nullptr);
  EXPECT_TRUE(
      BitEqual(*weight, SeededTensor("kaiming.7", "fc.weight", DType::kFloat32, {2, 3})));
  std::filesystem::remove(path);
}

TEST(SeededWeights, GraphsThatCannotBeFilledAreRefused) {
  for (const auto& [shape, more] :
       {std::pair("[70000, 70000]", ""), std::pair("[-1]", ""), std::pair("[1e3]", ""),
        std::pair("\"x\"", ""), std::pair("[2, 3]", R"(, "tensors": {"file": "a"})")}) {
    const auto path = GraphFile("qconform_seeded_bad.graph.json", shape, more);
    EXPECT_THROW(ReadSeededGraph(path, "kaiming.7"), InputError) << shape << more;
    std::filesystem::remove(path);
  }
}

}  // namespace
}  // namespace qconform
