// Parts whose every file is one record.
#ifndef QCONFORM_CLI_PARITY_RECORD_FILES_H_
#define QCONFORM_CLI_PARITY_RECORD_FILES_H_

#include <string>

#include "cli/parity/parts.h"
#include "reference/formats/json_file.h"

namespace qconform::parity {

// compare(root of the file, its name) for each file whose stem holds `filter`.
PartReport CompareFiles(const std::string& part, const Files& files,
                        const std::string& filter,
                        RecordReport (*compare)(const ordered_json& record,
                                                const std::string& file));

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_RECORD_FILES_H_
