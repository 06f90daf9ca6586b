// One verdict with all that is known of it.
#ifndef QCONFORM_CLI_PRINT_RECORD_H_
#define QCONFORM_CLI_PRINT_RECORD_H_

#include <ostream>

#include "conformance/verdict/record.h"

namespace qconform {

void PrintRecord(const CaseRecord& record, std::ostream& out);

}  // namespace qconform

#endif  // QCONFORM_CLI_PRINT_RECORD_H_
