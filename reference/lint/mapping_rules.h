// What lint_mapping.cc asks of one qconfig.
#ifndef QCONFORM_REFERENCE_LINT_MAPPING_RULES_H_
#define QCONFORM_REFERENCE_LINT_MAPPING_RULES_H_

#include <string>

#include "reference/formats/json_file.h"
#include "reference/lint/finding.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

// Observers that nobody knows or that torch refuses to make, sides that are missing,
// keywords without effect. `json` is the qconfig's.
void LintQConfig(const ordered_json& json, const QConfig& qconfig,
                 const std::string& subject, const JsonOrigin& origin,
                 LintFindings& findings);

// Whether the weight gets an observer of one scale a channel.
bool HasPerChannelWeight(const QConfigPointer& qconfig);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LINT_MAPPING_RULES_H_
