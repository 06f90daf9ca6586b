#include "cli/diff.h"

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <string>

#include "cli/exit_code.h"
#include "cli/model_source.h"
#include "conformance/verdict/journal.h"
#include "conformance/verdict/run_difference.h"
#include "reference/backends/backends.h"
#include "reference/diff/config_diff.h"
#include "reference/diff/golden_diff.h"
#include "reference/diff/graph_diff.h"
#include "reference/formats/graph_json.h"
#include "reference/formats/json_value.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

enum class Kind { kConfig, kGraph, kGolden, kRun };

const char* KindName(Kind kind) {
  switch (kind) {
    case Kind::kConfig:
      return "a backend config";
    case Kind::kGraph:
      return "a graph";
    case Kind::kGolden:
      return "a golden";
    case Kind::kRun:
      return "the journal of a run";
  }
  return "";
}

Kind KindOf(const std::string& what) {
  if (IsBuiltInBackend(what)) return Kind::kConfig;
  std::error_code error;
  if (fs::is_directory(what, error)) {
    if (fs::exists(fs::path(what) / "manifest.json", error)) return Kind::kGolden;
    throw InputError(what, "no golden here", "a folder with manifest.json");
  }
  if (!fs::exists(what, error)) {
    throw InputError(what, "no such file or built-in config",
                     "a config, a graph, a golden or the journal of a run");
  }
  if (fs::path(what).extension() == ".jsonl") return Kind::kRun;
  const JsonFile file = JsonFile::Read(what);
  if (file.root().is_object()) {
    if (FindMember(file.root(), "configs") != nullptr) return Kind::kConfig;
    if (FindMember(file.root(), "graph") != nullptr) return Kind::kGraph;
  }
  throw InputError(what, "neither 'configs' nor 'graph' stands in it",
                   "a backend config or a graph");
}

int Print(const std::string& text) {
  fmt::print("{}", text);
  return text.empty() ? kExitAsExpected : kExitCaseFailed;
}

int Diff(const std::string& a, const std::string& b) {
  const Kind kind = KindOf(a);
  if (const Kind other = KindOf(b); other != kind) {
    throw InputError(
        b, std::string("is ") + KindName(other) + " and " + a + " is " + KindName(kind),
        "two of a kind");
  }
  switch (kind) {
    case Kind::kConfig:
      return Print(ToText(DiffConfigs(*LoadBackendConfig(a), *LoadBackendConfig(b))));
    case Kind::kGraph:
      return Print(DiffGraphs(ReadGraphFile(a), ReadGraphFile(b)));
    case Kind::kGolden:
      return Print(DiffGoldens(ReadGolden(a), ReadGolden(b)));
    case Kind::kRun: {
      const RunDifference difference = DiffRuns(ReadJournal(a), ReadJournal(b));
      Print(difference.text);
      return difference.verdicts_differ ? kExitCaseFailed : kExitAsExpected;
    }
  }
  return kExitInternal;
}

}  // namespace

void AddDiffVerb(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string a;
    std::string b;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* verb = app.add_subcommand(
      "diff", "Compare two configs, two graphs, two goldens or two runs");
  verb->add_option("A", arguments->a,
                   "built-in config, config or graph file, golden folder, run journal")
      ->required();
  verb->add_option("B", arguments->b, "another of the same kind")->required();
  verb->footer(
      "\"<\" is only in A, \">\" only in B. Nothing is printed if nothing differs.\n"
      "Exit code: 0 the same (runs: the same verdicts), 1 they differ, 4 bad input or "
      "not two of a kind.");
  verb->callback(
      [arguments, &exit_code] { exit_code = Diff(arguments->a, arguments->b); });
}

}  // namespace qconform
