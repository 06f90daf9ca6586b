#include "reports/html_report.h"

#include <fmt/format.h>

#include "reports/page_style.h"
#include "reports/sections.h"

namespace qconform {
namespace {

struct Part {
  std::string_view id;
  std::string_view title;
  Markup markup;
};

std::vector<Part> PartsOf(const ReportInput& input) {
  return {{"subjects", "Who was judged", SubjectsSection(input)},
          {"verdicts", "Verdicts", VerdictsSection(input)},
          {"contract", "Levels and contract", ContractSection(input)},
          {"not-run", "What was not run", NotRunSection(input)},
          {"failures", "Failures", FailuresSection(input)},
          {"saboteurs", "What the suites catch", SaboteursSection(input)},
          {"models", "Quantized models", ModelsSection(input)},
          {"kernels", "Kernels", KernelsSection(input)},
          {"sources", "Made from", SourcesSection(input)}};
}

}  // namespace

std::string HtmlReport(const ReportInput& input) {
  Markup links;
  Markup body;
  for (const Part& part : PartsOf(input)) {
    if (part.markup.empty()) continue;
    links += Element("a", fmt::format("href=\"#{}\"", part.id), part.title);
    body += part.markup;
  }
  const Markup head =
      Markup::Trusted(
          "<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n") +
      Element("title", "", "qconform report") +
      Element("style", "", Markup::Trusted(kPageStyle));
  const Markup page =
      HeadlineSection(input) + Element("nav", "", links) + body +
      Element("footer", "", "Written by " + input.tool + " from the files above.");
  return "<!DOCTYPE html>\n" + Element("html", "lang=\"en\"",
                                       Element("head", "", head) +
                                           Element("body", "", Element("main", "", page)))
                                   .html();
}

}  // namespace qconform
