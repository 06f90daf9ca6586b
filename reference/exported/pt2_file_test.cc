#include "reference/exported/pt2_file.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/exported/archive.h"
#include "reference/exported/edited_archive.h"
#include "reference/exported/program_record.h"
#include "reference/formats/damage.h"
#include "reference/ir/expect_error.h"

namespace qconform {
namespace {

std::vector<std::string> TestPrograms() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(Pt2TestFile(""))) {
    if (IsPt2File(entry.path())) names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Tensor Zeros(const std::string&, DType dtype, const Shape& shape) {
  return Tensor(dtype, shape);
}

class Pt2Record : public testing::TestWithParam<std::string> {};

// Names, targets, arguments, users, where each node came from, shapes, and every bit of
// the tensors.
TEST_P(Pt2Record, EqualsTorchNodeForNode) {
  const ExportedProgram program = ReadPt2File(Pt2TestFile(GetParam() + ".pt2"), Zeros);
  const ordered_json actual = ProgramRecord(program);
  const JsonFile expected = JsonFile::Read(Pt2TestFile(GetParam() + ".json"));
  const ordered_json& nodes = expected.root().at("nodes");
  ASSERT_EQ(actual.at("nodes").size(), nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    EXPECT_EQ(actual.at("nodes")[i].dump(), nodes[i].dump());
  }
  EXPECT_EQ(actual.at("attributes").dump(), expected.root().at("attributes").dump());
  EXPECT_EQ(actual.at("symbols").dump(), expected.root().at("symbols").dump());
  EXPECT_EQ(program.strict, GetParam().ends_with("_strict"));
}

INSTANTIATE_TEST_SUITE_P(All, Pt2Record, testing::ValuesIn(TestPrograms()),
                         [](const auto& info) { return info.param; });

TEST(Pt2File, TiedWeightsShareTheirMemory) {
  const ExportedProgram program = ReadPt2File(Pt2TestFile("tied.pt2"));
  const Tensor* first = program.module.FindTensor("first.weight");
  const Tensor* second = program.module.FindTensor("second.weight");
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(first->bytes(), second->bytes());
}

TEST(Pt2File, WeightsStandInTheMappedFile) {
  const MappedBytes file = MapFile(Pt2TestFile("chain.pt2"));
  const ExportedProgram program = ParsePt2(file, "chain.pt2");
  for (const ProgramInput& input : program.inputs) {
    if (input.kind == ProgramInputKind::kUserInput) continue;
    const std::byte* bytes = program.module.FindTensor(input.target)->bytes();
    EXPECT_GE(bytes, file.storage.get()) << input.target;
    EXPECT_LT(bytes, file.storage.get() + file.size) << input.target;
  }
}

TEST(Pt2File, KeepsTheExampleValueOfASymbol) {
  const ExportedProgram program = ReadPt2File(Pt2TestFile("dynamic.pt2"));
  ASSERT_EQ(program.symbols.size(), 1u);
  const SymbolRange& range = program.symbols.begin()->second;
  EXPECT_EQ(range.minimum, 2);
  EXPECT_EQ(range.maximum, 64);
  EXPECT_EQ(range.hint, 2);
}

TEST(Pt2File, AProgramWithoutWeightsNeedsSome) {
  const std::filesystem::path path = Pt2TestFile("weightless.pt2");
  EXPECT_TRUE(LacksWeights(path));
  EXPECT_FALSE(LacksWeights(Pt2TestFile("residual.pt2")));
  EXPECT_NE(
      ErrorOf([&] { ReadPt2File(path); }).find("'block.conv.weight': its member has no"),
      std::string::npos)
      << ErrorOf([&] { ReadPt2File(path); });
  std::vector<std::string> made;
  ReadPt2File(path, [&](const std::string& name, DType dtype, const Shape& shape) {
    made.push_back(name);
    return Tensor(dtype, shape);
  });
  EXPECT_EQ(made.size(), 9u);
}

// What reading says if a member is changed, or a text in it.
std::string ErrorWith(const std::string& member, const std::string& from,
                      const std::string& to) {
  const std::string bytes = ReadFileBytes(Pt2TestFile("tied.pt2"));
  std::string content = Archive::Parse(BytesInMemory(bytes), "f").Read(member);
  EXPECT_NE(content.find(from), std::string::npos) << from;
  content = Replaced(content, from, to);
  const std::string edited = WithMember(bytes, member, content);
  return ErrorOf([&] { ParsePt2(BytesInMemory(edited), "f.pt2"); });
}

TEST(Pt2File, RefusesTensorsThatDoNotFit) {
  const std::string config = "data/weights/model_weights_config.json";
  const auto expect = [&](const std::string& from, const std::string& to,
                          const std::string& error) {
    const std::string actual = ErrorWith(config, from, to);
    EXPECT_TRUE(
        actual.starts_with("f.pt2: member 'data/weights/model_weights_config.json'"))
        << actual;
    EXPECT_NE(actual.find(error), std::string::npos) << actual;
  };
  expect(R"("use_pickle": false)", R"("use_pickle": true)", "no pickle is opened");
  expect(R"("weight_0")", R"("weight_9")", "there is no member 'data/weights/weight_9'");
  expect(R"({"as_int": 4})", R"({"as_int": 5})", "leave 'data/weights/weight_0'");
  expect(R"({"as_int": 4})", R"({"as_int": -4})", "[-4");
  expect(R"({"as_int": 4})", R"({"as_int": 99999999999999})", "fits into a machine");
  expect(R"("storage_offset": {"as_int": 0})", R"("storage_offset": {"as_int": 1})",
         "leave 'data/weights/weight_0'");
  expect(R"("layout": 7)", R"("layout": 2)", "the layout is 2");
  expect(R"("dtype": 7)", R"("dtype": 10)", "the dtype is 10");
  expect(R"("dtype": 7)", R"("dtype": "f")", "the dtype is");
  expect(R"({"config")", R"({"Config")", "'config' is missing");
}

TEST(Pt2File, BoundsTensorsThatRepeatTheirElements) {
  // Strides of zero ask for 4 GB of one element.
  const std::string error =
      ErrorWith("data/weights/model_weights_config.json",
                R"("sizes": [{"as_int": 4}, {"as_int": 4}])",
                R"("sizes": [{"as_int": 1073741824}, {"as_int": 1}])");
  EXPECT_NE(error.find("f.pt2: "), std::string::npos) << error;
  const std::string zero =
      ErrorWith("data/weights/model_weights_config.json",
                R"("sizes": [{"as_int": 4}], "requires_grad": true, "device": {"type": )"
                R"("cpu", "index": null}, "strides": [{"as_int": 1}])",
                R"("sizes": [{"as_int": 1073741824}], "requires_grad": true, "device": )"
                R"({"type": "cpu", "index": null}, "strides": [{"as_int": 0}])");
  EXPECT_NE(zero.find("bytes beside its member"), std::string::npos) << zero;
}

TEST(Pt2File, RefusesOtherArchives) {
  EXPECT_NE(ErrorWith("byteorder", "little", "big").find("'little'"), std::string::npos);
  EXPECT_NE(ErrorWith("archive_format", "pt2", "pt1").find("'pt2'"), std::string::npos);
  EXPECT_NE(ErrorWith("archive_version", "0", "1").find("'0'"), std::string::npos);
  const std::string bytes = ReadFileBytes(Pt2TestFile("tied.pt2"));
  const std::string other = Replaced(bytes, "models/model.json", "models/model.yaml");
  EXPECT_NE(ErrorOf([&] {
              ParsePt2(BytesInMemory(other), "f.pt2");
            }).find("it holds 0 exported programs"),
            std::string::npos);
}

TEST(Pt2File, DamageIsRefusedInOneLine) {
  const std::string bytes = ReadFileBytes(Pt2TestFile("tied.pt2"));
  CountReadable(bytes, 500, [](const std::string& damaged) {
    ParsePt2(BytesInMemory(damaged), "f.pt2");
  });
}

}  // namespace
}  // namespace qconform
