// Programs and annotations that torchao's quantizers were recorded with, for tests:
// datasets/oracle/quantizers/annotations.jsonl.
#ifndef QCONFORM_REFERENCE_QUANTIZERS_RECORDED_PROGRAM_H_
#define QCONFORM_REFERENCE_QUANTIZERS_RECORDED_PROGRAM_H_

#include <map>
#include <string>
#include <vector>

#include "reference/exported/exported_program.h"
#include "reference/formats/json_file.h"
#include "reference/pt2e/quantization_annotation.h"

namespace qconform {

struct RecordedCase {
  // "ConvReLU.0 {settings}"
  std::string name;
  const ordered_json* program;
  ordered_json json;
};

struct RecordedCases {
  std::map<std::string, ordered_json> programs;
  std::vector<RecordedCase> cases;
};

const RecordedCases& TheRecordedCases();

ExportedProgram ProgramOfRecord(const ordered_json& json);

// The first place where annotations differ from the record's; empty if there is none.
std::string DifferenceToRecord(const ExportedProgram& program,
                               const Annotations& annotations, const ordered_json& json);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_RECORDED_PROGRAM_H_
