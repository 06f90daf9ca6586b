#include "cli/infer.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/exit_code.h"
#include "cli/subject.h"
#include "conformance/infer/infer_config.h"
#include "reference/config/backend_config_json.h"
#include "reference/config/dtype_config_json.h"
#include "reference/formats/json_text.h"
#include "reference/formats/write_file.h"
#include "reference/ir/error.h"
#include "reference/numerics/scheme.h"

namespace qconform {
namespace {

struct Arguments {
  SubjectOptions subject;
  InferOptions infer;
  std::string out = "inferred.json";
};

void PrintLine(const char* name, const std::string& text) {
  fmt::print("{:<11} {}\n", name, text);
}

// "input quant_max 128, weight scale_min 0.00024": what stands beside the dtypes.
std::string BoundsText(const DTypeConfig& config) {
  std::string text;
  const std::pair<const char*, const DTypeWithConstraints*> sides[] = {
      {"input", &config.input_dtype},
      {"output", &config.output_dtype},
      {"weight", &config.weight_dtype}};
  for (const auto& [side, dtype] : sides) {
    const auto bounds = DTypeWithConstraintsToJson(*dtype);
    for (const auto& [key, value] : bounds.items())
      if (key != "dtype")
        text +=
            fmt::format("{}{} {} {}", text.empty() ? "" : ", ", side, key, value.dump());
  }
  return text;
}

const char* Word(const InferredRow& row) {
  if (!row.not_tried.empty()) return "not tried";
  switch (row.answer.honour) {
    case Honour::kRight:
      return row.declared ? "honours" : "beyond";
    case Honour::kRefused:
      return "refuses";
    case Honour::kWrong:
      return "wrong";
    case Honour::kFailed:
      return "fails";
  }
  return "";
}

// What a reader would not expect: rows that are bounded, wrong or not tried, declared
// ones that are refused, and all dtypes of each row that nobody declares.
void PrintRows(const InferReport& report) {
  std::vector<std::pair<std::string, std::string>> beyond;
  for (const InferredRow& row : report.rows) {
    const bool refused = row.answer.honour == Honour::kRefused;
    if (!row.declared && (refused || !row.not_tried.empty())) continue;
    std::string why = row.not_tried.empty() ? row.answer.why : row.not_tried;
    if (why.empty()) why = BoundsText(row.bounds);
    for (const std::string& note : row.notes) why += (why.empty() ? "" : ", ") + note;
    if (!why.empty()) {
      PrintLine(Word(row), fmt::format("{} {}: {}", row.row, row.dtypes, why));
    } else if (!row.declared && !beyond.empty() && beyond.back().first == row.row) {
      beyond.back().second += ", " + row.dtypes;
    } else if (!row.declared) {
      beyond.emplace_back(row.row, row.dtypes);
    }
  }
  for (const auto& [row, dtypes] : beyond)
    PrintLine("beyond", fmt::format("{} {}", row, dtypes));
}

int64_t Count(const InferReport& report, bool declared, Honour honour) {
  return std::count_if(report.rows.begin(), report.rows.end(),
                       [&](const InferredRow& row) {
                         return row.declared == declared && row.not_tried.empty() &&
                                row.answer.honour == honour;
                       });
}

int Infer(const Arguments& arguments) {
  if (!arguments.infer.scheme.empty() && !ParseScheme(arguments.infer.scheme))
    throw InputError("--under " + arguments.infer.scheme, "no scheme of that name",
                     "multiplier/steps/ties/bias/zero-point, as probe prints it");
  RequireWritable(arguments.out);
  const auto opened = OpenSubject(arguments.subject);
  const BackendConfig* declared = opened->config ? &opened->config->config : nullptr;
  if (arguments.infer.only_declared && declared == nullptr)
    throw InputError("--only-declared", "the backend declares nothing",
                     "a backend with a config, or --config");
  const std::string name = declared != nullptr ? declared->name() : opened->identity.name;
  const InferReport report =
      InferConfig(*opened->target, name, declared, arguments.infer);
  PrintRows(report);
  WriteFileAtomically(arguments.out, JsonText(BackendConfigToJson(report.config)));
  const int64_t wrong =
      Count(report, true, Honour::kWrong) + Count(report, false, Honour::kWrong) +
      Count(report, true, Honour::kFailed) + Count(report, false, Honour::kFailed);
  const int64_t honoured =
      Count(report, true, Honour::kRight) + Count(report, false, Honour::kRight);
  PrintLine("declared",
            fmt::format("{} honoured, {} refused", Count(report, true, Honour::kRight),
                        Count(report, true, Honour::kRefused)));
  PrintLine("beyond", fmt::format("{} honoured that nobody declares",
                                  Count(report, false, Honour::kRight)));
  PrintLine("left out", fmt::format("{} accepted but computed wrongly", wrong));
  PrintLine("wrote", fmt::format("{} after {} calls", arguments.out, report.calls));
  return wrong == 0 && honoured > 0 ? kExitAsExpected : kExitCaseFailed;
}

}  // namespace

void AddInferVerb(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* verb =
      app.add_subcommand("infer", "Write the config that a backend really honours");
  verb->add_option("backend,--backend", arguments->subject.backend,
                   "Shared object of the backend")
      ->required();
  verb->add_option("-o,--out", arguments->out,
                   "The config, as `diff` and --config take it")
      ->capture_default_str();
  verb->add_flag("--only-declared", arguments->infer.only_declared,
                 "Try no row and no dtypes that its config does not declare");
  verb->add_option("--under", arguments->infer.scheme,
                   "Scheme under which it is compared (default: the one it names)");
  AddSubjectOptions(*verb, arguments->subject);
  verb->footer(
      "Scales from 2^-40 to 2^40 are tried. What rows say of observers and modules no "
      "call can show; it is copied.\nExit codes: 0 written, 1 something that it accepts "
      "is computed wrongly, or it honours nothing, 4 wrong usage,\n6 unusable.");
  verb->callback([arguments, &exit_code] { exit_code = Infer(*arguments); });
}

}  // namespace qconform
