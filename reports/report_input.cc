#include "reports/report_input.h"

#include "reports/report_error.h"

namespace qconform {

std::vector<QuantizationSummary> ParseQuantizationSummaries(std::string_view text,
                                                            const std::string& file) {
  try {
    const auto json = nlohmann::json::parse(text);
    if (json.is_array()) return json.get<std::vector<QuantizationSummary>>();
    return {json.get<QuantizationSummary>()};
  } catch (const nlohmann::json::exception& error) {
    throw ReportError(file + ": " + error.what() +
                      ", expected what `qconform quantize --summary` writes");
  }
}

}  // namespace qconform
