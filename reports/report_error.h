#ifndef QCONFORM_REPORTS_REPORT_ERROR_H_
#define QCONFORM_REPORTS_REPORT_ERROR_H_

#include <stdexcept>
#include <string>

namespace qconform {

// A result file that is none: "file:line: what is wrong, expected ...".
class ReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace qconform

#endif  // QCONFORM_REPORTS_REPORT_ERROR_H_
