// The tables of qconfig.json, each with the code that compares it.
#ifndef QCONFORM_CLI_PARITY_QCONFIG_QCONFIG_TABLES_H_
#define QCONFORM_CLI_PARITY_QCONFIG_QCONFIG_TABLES_H_

#include <nlohmann/json.hpp>
#include <string>

#include "cli/parity/part.h"
#include "reference/qconfig/qconfig_mapping.h"

namespace qconform::parity {

using nlohmann::ordered_json;

// Where the records of a table go: those whose name holds the filter.
class TableReport {
 public:
  TableReport(PartReport& part, const std::string& filter)
      : part_(part), filter_(filter) {}
  void Add(RecordReport record) {
    if (Wants(record.name())) part_.records.push_back(std::move(record));
  }
  void NotCompared(const std::string& name, const std::string& reason) {
    if (Wants(name)) part_.NotCompared(name, reason);
  }

 private:
  bool Wants(const std::string& name) const {
    return name.find(filter_) != std::string::npos;
  }
  PartReport& part_;
  const std::string& filter_;
};

// Ready-made qconfigs, mappings, observers and what their constructors make.
void CompareDefaultQConfigs(const ordered_json& table, TableReport& report);
void CompareDefaultMappings(const ordered_json& table, TableReport& report);
void CompareNamedQConfigs(const ordered_json& table, TableReport& report);
void CompareNamedObservers(const ordered_json& table, TableReport& report);
void CompareNamedInstances(const ordered_json& table, TableReport& report);

// Which qconfig each node of one model gets under many mappings.
void ComparePrecedence(const ordered_json& table, TableReport& report);
void CompareMappingToDict(const ordered_json& table, TableReport& report);
// Rows that hold their result only are read by their names.
void CompareMappingFromDict(const ordered_json& table, TableReport& report);

void CompareEquality(const ordered_json& table, TableReport& report);
void CompareConstructor(const ordered_json& table, TableReport& report);
void CompareConstraintCheck(const ordered_json& table, TableReport& report);
void CompareDTypeSupport(const ordered_json& table, TableReport& report);
void ComparePrepareConvert(const ordered_json& table, TableReport& report);

// Records stand for qconfigs by numbers: a mapping with a qconfig of its own for every
// number, in the form of mapping files.
ordered_json MappingOfNumbers(const ordered_json& mapping);
// And back; a qconfig that is none of these becomes a text.
ordered_json NumberOf(const QConfigPointer& qconfig);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_QCONFIG_QCONFIG_TABLES_H_
