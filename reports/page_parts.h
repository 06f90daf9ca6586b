// Pieces that several sections are made of.
#ifndef QCONFORM_REPORTS_PAGE_PARTS_H_
#define QCONFORM_REPORTS_PAGE_PARTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "reports/markup.h"

namespace qconform {

// Bytes that a section may still write, so that no input makes the page too long: what
// does not fit is counted and left out.
class Budget {
 public:
  explicit Budget(size_t bytes) : left_(bytes) {}
  // Appends if there is room.
  bool Append(Markup& list, const Markup& item);

 private:
  size_t left_;
};

struct Column {
  std::string title;
  bool is_number = false;
};

// A table that becomes a list of cards where the page is narrow.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  // One Markup a column; `row_class` is a literal of our own. False if a budget is given
  // and has no room for the row.
  bool AddRow(const std::vector<Markup>& cells, std::string_view row_class = "",
              Budget* budget = nullptr);
  bool empty() const { return rows_.empty(); }
  // `table_class` is a literal of our own: "compact" is only as wide as it must be.
  Markup Render(std::string_view table_class = "") const;

 private:
  std::vector<Column> columns_;
  Markup rows_;
};

struct BarPart {
  double amount = 0;
  std::string_view style;  // CSS class of the colour
  std::string label;
};

// Parts of a whole, each at least a visible sliver. `total` 0: their sum.
Markup Bar(const std::vector<BarPart>& parts, double total = 0);

// The first digits of a digest, all of it on hovering; a dash if there is none.
Markup Digest(std::string_view sha256);

// <section id><h2>title</h2>...
Markup Section(std::string_view id, std::string_view title, const Markup& content);

Markup Code(std::string_view text);
// A word or number in the colour of its part of a bar.
Markup Word(std::string_view text, std::string_view style);
// "and 12 more" as a row or paragraph of its own; empty for 0.
Markup AndMore(int64_t count, std::string_view what);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_PAGE_PARTS_H_
