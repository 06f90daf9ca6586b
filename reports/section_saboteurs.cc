#include <fmt/format.h>

#include "reports/page_parts.h"
#include "reports/sections.h"

namespace qconform {
namespace {

constexpr size_t kBytes = 120'000;

}  // namespace

Markup SaboteursSection(const ReportInput& input) {
  if (!input.kill_table) return Markup();
  const KillTable& kills = *input.kill_table;
  Budget budget(kBytes);
  Table table({{"Saboteur"}, {"Suites that kill it"}});
  int64_t killed = 0;
  int64_t left_out = 0;
  for (const auto& [saboteur, suites] : kills.killers) {
    killed += suites.empty() ? 0 : 1;
    std::string text;
    for (const std::string& suite : suites) text += (text.empty() ? "" : ", ") + suite;
    left_out += table.AddRow({Text(saboteur), Text(suites.empty() ? "none" : text)},
                             suites.empty() ? "bad" : "", &budget)
                    ? 0
                    : 1;
  }
  Table suites({{"Suite"}, {"SHA-256 of its file"}});
  for (const auto& [suite, digest] : kills.suites)
    suites.AddRow({Text(suite), Digest(digest)}, "", &budget);
  const auto all = static_cast<int64_t>(kills.killers.size());
  const Markup sum = Element(
      "p", killed < all ? "class=\"loud\"" : "",
      fmt::format("{} of {} with one planted fault each are killed by the smoke tier of "
                  "the suites below, as {} recorded.",
                  Count(killed), Count(all, "backend"), kills.tool));
  return Section("saboteurs", "What the suites catch",
                 sum +
                     Element("details", "",
                             Element("summary", "", "Saboteurs") + table.Render() +
                                 AndMore(left_out, "saboteurs")) +
                     suites.Render("compact"));
}

}  // namespace qconform
