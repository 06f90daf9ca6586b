// Patterns and entries as torch's documentation prints them.
#ifndef QCONFORM_REFERENCE_CONFIG_HUMAN_READABLE_H_
#define QCONFORM_REFERENCE_CONFIG_HUMAN_READABLE_H_

#include <string>

#include "reference/config/backend_config.h"

namespace qconform {

// The names of the eight pooling functions that choose by return_indices: Python cannot
// print them by themselves.
bool IsBooleanDispatch(const std::string& function);

// Such a function becomes a text, which equals a method of that name; anything else
// stays. (remove_boolean_dispatch_from_name)
Pattern RemoveBooleanDispatch(const Pattern& pattern);

// The same inside tuples. (pattern_to_human_readable)
Pattern PatternToHumanReadable(const Pattern& pattern);

// An entry's dictionary, indented, the pattern first. Functions stand without their
// addresses. (entry_to_pretty_str)
std::string EntryToPrettyText(const BackendPatternConfig& entry);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_HUMAN_READABLE_H_
