// Whether a backend's dtype configs allow what a qconfig wants of a matched pattern.
#ifndef QCONFORM_REFERENCE_OBSERVE_PATTERN_SUPPORT_H_
#define QCONFORM_REFERENCE_OBSERVE_PATTERN_SUPPORT_H_

#include <string>
#include <vector>

#include "reference/config/mode.h"
#include "reference/observe/node_target.h"

namespace qconform {

struct SupportVerdict {
  bool supported = true;
  // When not: of the dtype config that came furthest, the first check that failed
  // ("input_dtype", "is_dynamic", "quant_max_upper_bound", ...) and one line with what
  // the qconfig wants and what the backend allows.
  std::string constraint;
  std::string reason;
  // When torch mode supports it: what strict mode holds against the dtype config that
  // was taken, one line each.
  std::vector<std::string> findings = {};
  // When supported: the dtype config that was taken; nullptr for a match without an
  // entry.
  const DTypeConfig* dtype_config = nullptr;
};

// Tries the entry's dtype configs in order; a match without an entry is supported.
// (_is_pattern_dtype_config_and_qconfig_supported_by_backend) Strict mode also holds
// the weight observer of a module against the weight's dtype and constraints, which torch
// checks for functions only.
SupportVerdict CheckPatternSupport(const QuantizationMatch& match,
                                   const QConfigPointer& qconfig,
                                   const NodeTargets& targets, SettingsTable& settings,
                                   Mode mode);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_PATTERN_SUPPORT_H_
