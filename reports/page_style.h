#ifndef QCONFORM_REPORTS_PAGE_STYLE_H_
#define QCONFORM_REPORTS_PAGE_STYLE_H_

#include <string_view>

namespace qconform {

// The page's style sheet: light and dark after the reader's system, cards instead of
// tables below 700 px, colours that stay apart for colour-blind readers.
extern const std::string_view kPageStyle;

}  // namespace qconform

#endif  // QCONFORM_REPORTS_PAGE_STYLE_H_
