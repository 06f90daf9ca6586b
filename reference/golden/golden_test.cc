#include "reference/golden/golden.h"

#include <gtest/gtest.h>

#include "reference/formats/graph_json.h"
#include "reference/formats/write_file.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

class GoldenTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              (std::string("golden_") +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // A small golden of one of torch's own reference graphs.
  static Golden Make() {
    const JsonFile file =
        JsonFile::Read(QCONFORM_SOURCE_DIR "/datasets/oracle/fx/residual_add_relu.json");
    GoldenSource source;
    source.model = "residual";
    source.config = "x86";
    AddTextDigest(source, "mapping", "default");
    std::vector<Tensor> samples;
    for (const ordered_json& input : file.root().at("test_input")) {
      samples.push_back(TensorFromJson(input, file));
    }
    AddTensorDigest(source, "samples", samples);
    return MakeGolden(std::move(source),
                      GraphModuleFromJson(file.root().at("fused"), file),
                      GraphModuleFromJson(file.root().at("reference"), file), samples);
  }

  // The one error of the folder, without the folder's name.
  std::string OnlyError(const GoldenSource* current = nullptr,
                        const Golden* made_again = nullptr) const {
    const std::vector<std::string> errors = VerifyGolden(folder_, current, made_again);
    if (errors.size() != 1) return std::to_string(errors.size()) + " errors";
    return errors[0].substr(folder_.string().size() + 1);
  }

  // Changes one byte in the middle of a file.
  void Flip(const std::string& name) const {
    std::string bytes = ReadFileBytes(folder_ / name);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    WriteFileAtomically(folder_ / name, bytes);
  }

  fs::path folder_;
};

TEST_F(GoldenTest, WritesWhatItReads) {
  const Golden golden = Make();
  WriteGolden(folder_, golden);
  EXPECT_TRUE(VerifyGolden(folder_).empty());
  const Golden read = ReadGolden(folder_);
  EXPECT_EQ(read.manifest.source.model, "residual");
  EXPECT_EQ(read.program.steps.size(), golden.program.steps.size());
  ASSERT_EQ(read.values.size(), golden.values.size());
  for (const auto& [name, tensor] : golden.values) {
    EXPECT_TRUE(BitEqual(tensor, *read.values.Find(name))) << name;
  }
  EXPECT_TRUE(read.float_values.Contains("end.0"));
  EXPECT_TRUE(read.float_values.Contains("quantize_per_tensor_2"));
  EXPECT_FALSE(read.float_values.Contains("quantize_per_tensor"));
  EXPECT_EQ(GoldenFiles(read).size(), GoldenFiles(golden).size());
  for (const auto& [name, bytes] : GoldenFiles(golden)) {
    EXPECT_EQ(*GoldenFiles(read).Find(name), bytes) << name;
  }
}

TEST_F(GoldenTest, TheSameBytesTwice) {
  const OrderedMap<std::string> first = GoldenFiles(Make());
  const OrderedMap<std::string> second = GoldenFiles(Make());
  ASSERT_EQ(first.size(), second.size());
  for (const auto& [name, bytes] : first) EXPECT_EQ(*second.Find(name), bytes) << name;
}

TEST_F(GoldenTest, EveryChangedFileIsNamed) {
  WriteGolden(folder_, Make());
  const GoldenManifest manifest = ReadGolden(folder_).manifest;
  ASSERT_GE(manifest.files.size(), 7u);
  for (const auto& [name, file] : manifest.files) {
    Flip(name);
    EXPECT_TRUE(OnlyError().starts_with(name + ": it has ")) << OnlyError();
    EXPECT_NE(OnlyError().find("expected " + std::to_string(file.bytes) +
                               " bytes with digest " + file.sha256),
              std::string::npos);
    EXPECT_THROW(ReadGolden(folder_), InputError);
    Flip(name);
  }
  EXPECT_TRUE(VerifyGolden(folder_).empty());
}

TEST_F(GoldenTest, MissingAndForeignFilesAreNamed) {
  WriteGolden(folder_, Make());
  WriteFileAtomically(folder_ / "notes.txt", "mine");
  EXPECT_EQ(
      OnlyError(),
      "notes.txt: the manifest does not name it, expected only files of the golden");
  fs::remove(folder_ / "notes.txt");
  fs::remove(folder_ / "qparams.json");
  EXPECT_TRUE(OnlyError().starts_with("qparams.json: it is missing, expected "));
  fs::remove(folder_ / "manifest.json");
  EXPECT_TRUE(OnlyError().starts_with("manifest.json: "));
}

TEST_F(GoldenTest, StaleSourcesAreNamed) {
  const Golden golden = Make();
  WriteGolden(folder_, golden);
  GoldenSource current = golden.manifest.source;
  EXPECT_TRUE(VerifyGolden(folder_, &current).empty());
  AddTextDigest(current, "mapping", "another");
  EXPECT_TRUE(OnlyError(&current).starts_with("manifest.json: source 'mapping' was "));
  current = golden.manifest.source;
  AddTextDigest(current, "data", "new");
  EXPECT_TRUE(
      OnlyError(&current).starts_with("manifest.json: it knows no source 'data'"));
  current = golden.manifest.source;
  current.config = "qnnpack";
  EXPECT_EQ(
      OnlyError(&current),
      "manifest.json: it is of residual under x86, mode torch, expected a golden of "
      "residual under qnnpack, mode torch");
}

TEST_F(GoldenTest, AFillIsNamedAndCompared) {
  Golden golden = Make();
  golden.manifest.source.fill = "kaiming.1";
  WriteGolden(folder_, golden);
  EXPECT_EQ(ReadGolden(folder_).manifest.source.fill, "kaiming.1");
  GoldenSource current = golden.manifest.source;
  EXPECT_TRUE(VerifyGolden(folder_, &current).empty());
  current.fill = "kaiming.2";
  EXPECT_EQ(OnlyError(&current),
            "manifest.json: it is of residual under x86, mode torch, fill kaiming.1, "
            "expected a golden of residual under x86, mode torch, fill kaiming.2");
}

TEST_F(GoldenTest, LeftOutTensorsMustMatchWhenMadeAgain) {
  const Golden golden = Make();
  WriteGolden(folder_, golden, 1300);  // only the constants and the smaller files stay
  ASSERT_FALSE(fs::exists(folder_ / "float.safetensors"));
  EXPECT_TRUE(VerifyGolden(folder_).empty());
  EXPECT_TRUE(VerifyGolden(folder_, nullptr, &golden).empty());
  EXPECT_THROW(ReadGolden(folder_), InputError);

  Golden changed = Make();
  changed.float_values.Find("end.0")->data<float>()[0] += 1.0f;
  EXPECT_TRUE(
      OnlyError(nullptr, &changed).starts_with("float.safetensors: made again it has "));
}

TEST_F(GoldenTest, GraphsWithoutTheirTensorsAreAbsent) {
  Golden golden = Make();
  WriteGolden(folder_, golden, 100'000);
  EXPECT_TRUE(ReadGolden(folder_).reference.has_value());
  GoldenManifest manifest = ReadGolden(folder_).manifest;
  ASSERT_TRUE(manifest.files.Contains("reference.safetensors"));
  // As if the tensors of the graph alone were above the limit.
  std::string text = ReadFileBytes(folder_ / "manifest.json");
  const std::string entry = manifest.files.Find("reference.safetensors")->sha256 + "\"";
  const size_t place = text.find(entry, text.find("\"reference.safetensors\""));
  text.insert(place + entry.size(), ", \"left_out\": true");
  WriteFileAtomically(folder_ / "manifest.json", text);
  fs::remove(folder_ / "reference.safetensors");
  const Golden read = ReadGolden(folder_);
  EXPECT_FALSE(read.reference.has_value());
  EXPECT_TRUE(read.prepared.has_value());
}

TEST_F(GoldenTest, MalformedManifestsSayWhere) {
  WriteFileAtomically(folder_ / "manifest.json",
                      "{\"format\": \"qconform.golden/1\", \"tool\": \"t\",\n"
                      "\"model\": \"m\", \"config\": \"c\", \"mode\": \"torch\",\n"
                      "\"sources\": {}, \"files\": {\n"
                      "\"../x\": {\"bytes\": 1, \"sha256\": \"0\"}}}");
  EXPECT_EQ(OnlyError(),
            "manifest.json:4: '../x' is no file of this folder, expected a plain file "
            "name");
}

}  // namespace
}  // namespace qconform
