// The committed records agree, and the runner can say that one does not.
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <sstream>

#include "cli/exit_code.h"
#include "cli/parity/run.h"
#include "reference/formats/json_file.h"
#include "reference/formats/tensor_json.h"
#include "reference/formats/write_file.h"
#include "reference/ir/error.h"

namespace qconform::parity {
namespace {

namespace fs = std::filesystem;

const fs::path kOracle = fs::path(QCONFORM_SOURCE_DIR) / "datasets/oracle";

int RunRecords(const fs::path& where, std::string& text) {
  std::ostringstream out;
  const int exit_code = RunParity(where, {}, out);
  text = out.str();
  return exit_code;
}

// A folder of one record, changed by `change`.
template <typename Change>
fs::path ChangedRecord(const std::string& name, const Change& change,
                       const std::string& record = "fx/cat_inputs.json") {
  const fs::path folder = fs::temp_directory_path() / ("qconform_parity_test_" + name) /
                          (record.starts_with("fx_matrix") ? "fx_matrix" : "fx");
  ordered_json json = JsonFile::Read(kOracle / record).root();
  change(json);
  WriteFileAtomically(folder / fs::path(record).filename(), json.dump());
  return folder.parent_path();
}

// The records of `folder` differ, and what is printed names `place`.
void ExpectDifference(const fs::path& folder, const std::string& place) {
  std::string text;
  EXPECT_EQ(RunRecords(folder, text), kExitCaseFailed) << text;
  EXPECT_NE(text.find(place), std::string::npos) << text;
  fs::remove_all(folder);
}

TEST(Parity, CommittedRecordsAgree) {
  int records = 0;
  for (const char* folder : {"fx", "pt2e", "fx_matrix", "own/fx"}) {
    for (const auto& entry : fs::directory_iterator(kOracle / folder)) {
      std::string text;
      EXPECT_EQ(RunRecords(entry.path(), text), kExitAsExpected) << text;
      ++records;
    }
  }
  EXPECT_GE(records, 212) << "the records were not found";
}

// How many records of the tables are compared: a row that is skipped is named.
TEST(Parity, CommittedTablesAgree) {
  const std::pair<const char*, const char*> tables[] = {
      {"config_api.json", "config_api: 70 of 70 equal\n"},
      {"qconfig.json", "qconfig: 748 of 748 equal\n"},
      {"own/config_api.json", "config_api: 79 of 79 equal\n"},
      {"own/qconfig.json", "qconfig: 1000 of 1000 equal\n"},
      {"match.json", "match: 15 of 15 equal\n"},
      {"aliases.json", "aliases: 15 of 15 equal\n"},
      {"observers.json", "observers: 579 of 579 equal\n"},
      {"fake_quant.json", "fake_quant: 74 of 74 equal\n"},
  };
  for (const auto& [file, first_line] : tables) {
    std::string text;
    EXPECT_EQ(RunRecords(kOracle / file, text), kExitAsExpected) << text;
    EXPECT_TRUE(text.starts_with(first_line)) << text;
  }
  std::string text;
  EXPECT_EQ(RunRecords(kOracle / "backend_configs", text), kExitAsExpected) << text;
  EXPECT_TRUE(text.starts_with("backend_configs: 9 of 9 equal\n")) << text;
}

// Every error of config_api has torch's own text, so there is no note about one.
TEST(Parity, ConfigErrorsHaveTorchsTexts) {
  ParityOptions options;
  options.notes = true;
  std::ostringstream out;
  EXPECT_EQ(RunParity(kOracle / "config_api.json", options, out), kExitAsExpected);
  EXPECT_EQ(out.str().find("note:"), std::string::npos) << out.str();
}

TEST(Parity, AStepThatCannotBeReadIsNamedAndNotEqual) {
  const fs::path folder = fs::temp_directory_path() / "qconform_parity_test_steps";
  const ordered_json rows = {
      {{"name", "a"}, {"steps", "do something"}, {"result", 1}},
      {{"name", "b"}, {"steps", "BackendConfig('x').paint()"}, {"result", 1}},
      {{"name", "c"}, {"steps", "len(BackendConfig('x').configs)"}, {"result", 1}},
      {{"name", "d"}, {"steps", "BackendConfig('x').name"}, {"result", "x"}},
  };
  WriteFileAtomically(folder / "config_api.json", rows.dump());
  std::string text;
  EXPECT_EQ(RunRecords(folder, text), kExitCaseFailed);
  EXPECT_EQ(text,
            "config_api: 1 of 2 equal\n  result: 1 of 2\n"
            "  a / \"do something\": not compared: no expression\n"
            "  b / \"BackendConfig('x').paint()\": not compared: unknown method paint\n"
            "  differs: c, result, whole: got 0, want 1\n");
  fs::remove_all(folder);
}

TEST(Parity, CountsByPartAndStage) {
  std::string text;
  EXPECT_EQ(RunRecords(kOracle / "fx" / "conv_bn.json", text), kExitAsExpected);
  EXPECT_EQ(text,
            "fx: 1 of 1 equal\n  fusion_matches: 1 of 1\n  fused: 1 of 1\n"
            "  matches: 1 of 1\n  node_qconfig: 1 of 1\n"
            "  observed_node_names: 1 of 1\n  warnings: 1 of 1\n  prepared: 1 of 1\n"
            "  reference: 1 of 1\n  decomposed: 1 of 1\n  lowered: 1 of 1\n");
}

TEST(Parity, AChangedZeroPointIsFound) {
  const fs::path folder = ChangedRecord("zero_point", [](ordered_json& json) {
    ordered_json& node = json.at("decomposed").at("graph").at(1);
    node.at("args").at(2) = node.at("args").at(2).get<int>() + 1;
  });
  std::string text;
  EXPECT_EQ(RunRecords(folder, text), kExitCaseFailed);
  EXPECT_NE(text.find("fx: 0 of 1 equal"), std::string::npos) << text;
  EXPECT_NE(text.find("differs: cat_inputs, decomposed, graph[1].args[2]"),
            std::string::npos)
      << text;
  fs::remove_all(folder);
}

TEST(Parity, AnObserverThatIsNotSharedIsFound) {
  const fs::path folder = ChangedRecord("shared", [](ordered_json& json) {
    json.at("prepared").at("observers").at("nodes").at(1).at("instance") = "obs7";
  });
  ExpectDifference(folder, "observers.nodes[1].instance");
}

// Adds `amount` to the last element of a float32 tensor.
void Shift(ordered_json& tensor, float amount) {
  Tensor value = TensorFromJson(tensor, "record").Clone();
  value.data<float>()[value.numel() - 1] += amount;
  tensor = TensorToJson(value);
}

TEST(Parity, AnotherOutputOfATrainedModelIsFound) {
  const fs::path folder = ChangedRecord(
      "trained_output",
      [](ordered_json& json) { Shift(json.at("prepared").at("output"), 1e-3F); },
      "fx/qat_conv_bn_relu.json");
  ExpectDifference(folder, "differs: qat_conv_bn_relu, prepared, output[");
}

TEST(Parity, AnotherZeroPointAfterTrainingIsFound) {
  // What the reference graph quantizes with comes from a forward that the record's
  // observers do not show.
  const fs::path folder = ChangedRecord(
      "trained_zero_point",
      [](ordered_json& json) {
        ordered_json& attributes = json.at("reference").at("attrs");
        for (auto& [name, tensor] : attributes.items()) {
          if (name.find("zero_point") == std::string::npos) continue;
          Tensor value = TensorFromJson(tensor, name).Clone();
          value.data<int64_t>()[0] += 1;
          tensor = TensorToJson(value);
          return;
        }
      },
      "fx/qat_conv_bn_relu.json");
  ExpectDifference(folder, "zero point of ");
}

// The fixed-range warnings of torch name the constraint that refused.
TEST(Parity, AMissingWarningIsFound) {
  const fs::path folder = ChangedRecord(
      "warnings", [](ordered_json& json) { json.at("warnings") = ordered_json::array(); },
      "fx/constraint_scale_min_violated.json");
  ExpectDifference(folder, ", warnings, ");
}

TEST(Parity, AWarningThatComesTooOftenIsFound) {
  const fs::path folder = ChangedRecord(
      "warnings_twice",
      [](ordered_json& json) {
        json.at("warnings").push_back(ordered_json(json.at("warnings")[0]));
      },
      "own/fx/own_backend_narrow_range.json");
  ExpectDifference(folder, ", warnings, ");
}

// A recorder that shows a text twice has shown every warning.
TEST(Parity, AWarningLessThanRepeatedOnesIsFound) {
  const fs::path folder = ChangedRecord(
      "warnings_fewer", [](ordered_json& json) { json.at("warnings").erase(0); },
      "own/fx/own_backend_narrow_range.json");
  ExpectDifference(folder, ", warnings, ");
}

TEST(Parity, AStageThatARecordDoesNotHoldIsNamed) {
  const fs::path folder = ChangedRecord("missing", [](ordered_json& json) {
    for (const char* stage : {"prepared", "matches", "reference", "decomposed"}) {
      json.erase(stage);
    }
  });
  std::string text;
  EXPECT_EQ(RunRecords(folder, text), kExitAsExpected) << text;
  for (const char* stage : {"matches", "prepared", "reference", "decomposed"}) {
    EXPECT_NE(text.find(std::string("  ") + stage +
                        ": not compared in 1 of 1 records, which do not hold it: "
                        "cat_inputs\n"),
              std::string::npos)
        << text;
  }
  fs::remove_all(folder);
}

// Prints what is said of `folder`, whose records are equal.
std::string TextOfEqual(const fs::path& folder) {
  std::string text;
  EXPECT_EQ(RunRecords(folder, text), kExitAsExpected) << text;
  fs::remove_all(folder);
  return text;
}

// One stage that is missing takes no other with it.
TEST(Parity, StagesBehindAMissingOneAreCompared) {
  const std::string text = TextOfEqual(
      ChangedRecord("no_matches", [](ordered_json& json) { json.erase("matches"); }));
  EXPECT_NE(text.find("  prepared: 1 of 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  reference: 1 of 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  matches: not compared in 1 of 1 records"), std::string::npos);
}

TEST(Parity, AStageThatIsHeldAndNotComparedIsNamed) {
  const std::string text = TextOfEqual(
      ChangedRecord("no_prepared", [](ordered_json& json) { json.erase("prepared"); }));
  EXPECT_NE(text.find("  cat_inputs, lowered: not compared: it needs the stage prepared"),
            std::string::npos)
      << text;
}

TEST(Parity, AnEmptyStageIsMissing) {
  for (const char* stage : {"prepared", "reference", "decomposed", "lowered", "fused"}) {
    const std::string text =
        TextOfEqual(ChangedRecord("empty_stage", [stage](ordered_json& json) {
          json.at(stage) = ordered_json::object();
        }));
    EXPECT_NE(text.find(std::string("  ") + stage + ": not compared in 1 of 1 records"),
              std::string::npos)
        << text;
  }
}

// A light record says nothing of warnings unless one of its variants does.
TEST(Parity, WarningsOfALightRecordThatNamesNoneAreNotCompared) {
  const char* record = "fx_matrix/fixed_ops.json";
  std::string text = TextOfEqual(ChangedRecord(
      "light_warnings",
      [](ordered_json& json) {
        for (ordered_json& variant : json.at("variants")) variant.erase("warnings");
      },
      record));
  EXPECT_NE(text.find("  warnings: not compared in 1 of 1 records"), std::string::npos)
      << text;
  const fs::path folder = ChangedRecord(
      "light_warnings",
      [](ordered_json& json) {
        bool kept = false;
        for (ordered_json& variant : json.at("variants")) {
          if (variant.contains("warnings") && kept) variant.erase("warnings");
          kept = kept || variant.contains("warnings");
        }
      },
      record);
  ExpectDifference(folder, ", warnings, ");
}

// The observers behind an LSTM see sums of another order, and nothing else.
TEST(Parity, AnotherRangeBehindAnLstmIsFound) {
  const fs::path folder = ChangedRecord(
      "lstm",
      [](ordered_json& json) {
        ordered_json& instance =
            json.at("prepared").at("observers").at("instances").at("obs1");
        Shift(instance.at("min_val"), 1e-4F);
      },
      "fx/lstm_static_skipped.json");
  ExpectDifference(folder, "obs1.min_val");
}

// Nothing is near a NaN or an infinity.
TEST(Parity, AScaleThatIsNoNumberIsFound) {
  for (const float wrong : {std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::infinity()}) {
    const fs::path folder = ChangedRecord(
        "no_number",
        [wrong](ordered_json& json) {
          for (const char* stage : {"reference", "decomposed", "lowered"}) {
            json.erase(stage);
          }
          ordered_json& scale = json.at("prepared")
                                    .at("observers")
                                    .at("instances")
                                    .at("obs1")
                                    .at("qparams")
                                    .at("scale");
          Tensor value = TensorFromJson(scale, "scale").Clone();
          value.data<float>()[0] = wrong;
          scale = TensorToJson(value);
        },
        "fx/adaptive_flatten_linear.json");
    std::string text;
    EXPECT_EQ(RunRecords(folder, text), kExitCaseFailed) << wrong << text;
    fs::remove_all(folder);
  }
}

TEST(Parity, ARecordWithoutABackendConfigCannotBeRead) {
  const fs::path folder = ChangedRecord(
      "no_config", [](ordered_json& json) { json.erase("backend_config"); });
  ExpectDifference(folder, "backend_config");
}

TEST(Parity, ATableWithoutRowsIsNotEqual) {
  const fs::path folder = ChangedRecord("no_rows", [](ordered_json&) {});
  WriteFileAtomically(folder / "observers.json", "{}");
  ExpectDifference(folder, "observers: 0 of 1 equal");
}

// One record that nothing can read does not hide the others, nor another part.
TEST(Parity, AnUnreadableRecordIsADifference) {
  const fs::path folder = ChangedRecord("unreadable", [](ordered_json&) {});
  WriteFileAtomically(folder / "fx" / "broken.json", R"({"kind": "fx_ptq"})");
  WriteFileAtomically(folder / "match.json", R"({"graphs": {}})");
  WriteFileAtomically(folder / "aliases.json",
                      JsonFile::Read(kOracle / "aliases.json").root().dump());
  ordered_json matrix = JsonFile::Read(kOracle / "fx_matrix/activations.json").root();
  matrix.at("variants")[0].erase("fused_graph");
  WriteFileAtomically(folder / "fx_matrix/activations.json", matrix.dump());
  std::string text;
  EXPECT_EQ(RunRecords(folder, text), kExitCaseFailed);
  EXPECT_NE(text.find("fx: 1 of 2 equal"), std::string::npos) << text;
  EXPECT_NE(text.find("fx_matrix: 0 of 1 equal"), std::string::npos) << text;
  EXPECT_NE(text.find("match: 0 of 1 equal"), std::string::npos) << text;
  EXPECT_NE(text.find("aliases: 15 of 15 equal"), std::string::npos) << text;
  fs::remove_all(folder);
}

TEST(Parity, AnObserverThatCannotBeMadeSatisfiesNothing) {
  const fs::path folder = fs::temp_directory_path() / "qconform_parity_test_unmade";
  const ordered_json check = {
      {"observers",
       {{"o",
         {{"class", "MinMaxObserver"},
          {"kwargs", {{"quant_min", 5}, {"quant_max", 9}}}}}}},
      {"dtypes", {{"any", ordered_json::object()}, {"u8", {{"dtype", "torch.quint8"}}}}},
      {"table",
       {ordered_json{"o", "any", true}, ordered_json{"o", "u8", "AssertionError"}}}};
  WriteFileAtomically(folder / "qconfig.json",
                      ordered_json{{"constraint_check", check}}.dump());
  std::string text;
  RunRecords(folder, text);
  EXPECT_TRUE(text.starts_with("qconfig: 2 of 2 equal\n")) << text;
  fs::remove_all(folder);
}

TEST(Parity, AnEmptyFolderSelectsNothing) {
  const fs::path folder = fs::temp_directory_path() / "qconform_parity_test_empty";
  fs::create_directories(folder);
  std::string text;
  EXPECT_EQ(RunRecords(folder, text), kExitNothingSelected);
  EXPECT_THROW(RunRecords(folder / "missing", text), InputError);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace qconform::parity
