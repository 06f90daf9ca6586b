#include "reports/page_parts.h"

#include <fmt/format.h>

#include <cassert>

namespace qconform {

bool Budget::Append(Markup& list, const Markup& item) {
  if (item.html().size() > left_) return false;
  left_ -= item.html().size();
  list += item;
  return true;
}

bool Table::AddRow(const std::vector<Markup>& cells, std::string_view row_class,
                   Budget* budget) {
  assert(cells.size() == columns_.size());
  Markup content;
  for (size_t i = 0; i < cells.size(); ++i) {
    const std::string number = columns_[i].is_number ? " class=\"number\"" : "";
    content += Element("td", Attribute("data-title", columns_[i].title) + number,
                       Element("div", "", cells[i]));
  }
  const Markup row = Element(
      "tr", row_class.empty() ? "" : fmt::format("class=\"{}\"", row_class), content);
  if (budget != nullptr) return budget->Append(rows_, row);
  rows_ += row;
  return true;
}

Markup Table::Render(std::string_view table_class) const {
  Markup head;
  for (const Column& column : columns_) {
    head += Element("th", column.is_number ? "class=\"number\"" : "", column.title);
  }
  return Element(
      "table", table_class.empty() ? "" : fmt::format("class=\"{}\"", table_class),
      Element("thead", "", Element("tr", "", head)) + Element("tbody", "", rows_));
}

Markup Bar(const std::vector<BarPart>& parts, double total) {
  double sum = 0;
  std::string label;
  for (const BarPart& part : parts) {
    sum += part.amount;
    if (part.amount > 0) label += (label.empty() ? "" : ", ") + part.label;
  }
  const double whole = total > sum ? total : sum;
  Markup inside;
  for (const BarPart& part : parts) {
    if (part.amount <= 0 || whole <= 0) continue;
    inside += Element("i",
                      fmt::format("class=\"{}\" style=\"width:{:.3f}%\"", part.style,
                                  100 * part.amount / whole),
                      Markup());
  }
  return Element("div",
                 "class=\"bar\" role=\"img\" " + Attribute("aria-label", label) + " " +
                     Attribute("title", label),
                 inside);
}

Markup Digest(std::string_view sha256) {
  if (sha256.empty()) return Text("–");
  return Element("code", "class=\"digest\" " + Attribute("title", sha256),
                 sha256.substr(0, 12));
}

Markup Section(std::string_view id, std::string_view title, const Markup& content) {
  return Element("section", Attribute("id", id), Element("h2", "", title) + content);
}

Markup Code(std::string_view text) { return Element("code", "", text); }

Markup Word(std::string_view text, std::string_view style) {
  return Element("span", fmt::format("class=\"word {}\"", style), text);
}

Markup AndMore(int64_t count, std::string_view what) {
  if (count <= 0) return Markup();
  return Element("p", "class=\"note\"",
                 fmt::format("… and {} more {}.", Count(count), what));
}

}  // namespace qconform
