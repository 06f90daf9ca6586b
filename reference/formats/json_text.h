// The layout of our JSON files: made for line diffs, the same bytes for the same
// value.
#ifndef QCONFORM_REFERENCE_FORMATS_JSON_TEXT_H_
#define QCONFORM_REFERENCE_FORMATS_JSON_TEXT_H_

#include <string>

#include "reference/formats/json_file.h"

namespace qconform {

// An array or object that fits into `width` columns stands on one line; else each of
// its items starts a line, two spaces deeper. Ends with a newline.
std::string JsonText(const ordered_json& value, int width = 100);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FORMATS_JSON_TEXT_H_
