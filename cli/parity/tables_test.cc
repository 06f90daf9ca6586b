// Every row of the oracle tables of observers, fake-quantizers and numerics.
#include <gtest/gtest.h>

#include "cli/parity/fake_quant_part.h"
#include "cli/parity/numerics_part.h"
#include "cli/parity/observers_part.h"
#include "cli/parity/operators_part.h"
#include "reference/formats/json_file.h"

namespace qconform::parity {
namespace {

ordered_json Table(const std::string& name) {
  return JsonFile::Read(std::string(QCONFORM_SOURCE_DIR) + "/datasets/oracle/" + name)
      .root();
}

void ExpectAllEqual(const PartReport& part, size_t record_count) {
  EXPECT_EQ(part.records.size(), record_count);
  for (const RecordReport& record : part.records) {
    EXPECT_FALSE(record.stages().empty()) << record.name();
    if (record.equal()) continue;
    const auto& [stage, difference] = *record.first();
    ADD_FAILURE() << record.name() << ", " << stage << ": " << difference.where << " is "
                  << difference.got << ", torch has " << difference.want;
  }
}

TEST(Tables, ObserversEqualTorch) {
  ExpectAllEqual(ObserversPart(Table("observers.json")), 579);
}

TEST(Tables, FakeQuantizersEqualTorch) {
  ExpectAllEqual(FakeQuantPart(Table("fake_quant.json")), 74);
}

TEST(Tables, NumericsEqualTorch) {
  ExpectAllEqual(NumericsPart(Table("numerics.json")), 49 + 15 + 126);
}

TEST(Tables, OperatorsEqualTorch) {
  const PartReport part = OperatorsPart(Table("numerics.json"));
  ExpectAllEqual(part, 126);
  EXPECT_TRUE(part.not_compared.empty());
}

// The comparison sees a single wrong bit.
TEST(Tables, AChangedRecordIsFound) {
  ordered_json table = Table("observers.json");
  for (ordered_json& row : table.at("calculate_qparams_table")) {
    if (row.size() > 4 && row.at(4) == 85) row.at(4) = 86;
  }
  const PartReport part = ObserversPart(table);
  EXPECT_LT(part.CountEqual(), static_cast<int>(part.records.size()));
}

// An error that only the record has is a difference of its row, not of the table.
TEST(Tables, AnErrorOfTheRecordAloneIsFound) {
  ordered_json table = Table("observers.json");
  ordered_json& row = table.at("cases").at(0);
  row.erase("state");
  row.erase("qparams");
  row["error"] = {{"type", "RuntimeError"}, {"message", "no parameters"}};
  const PartReport part = ObserversPart(table);
  EXPECT_EQ(part.CountEqual() + 1, static_cast<int>(part.records.size()));
  EXPECT_FALSE(part.records.at(0).equal());
}

}  // namespace
}  // namespace qconform::parity
