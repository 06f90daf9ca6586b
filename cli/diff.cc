#include "cli/diff.h"

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "cli/exit_code.h"
#include "cli/graph_structure.h"
#include "conformance/verdict/journal.h"
#include "conformance/verdict/run_difference.h"
#include "reference/backends/backends.h"
#include "reference/diff/config_diff.h"
#include "reference/diff/golden_diff.h"
#include "reference/diff/graph_diff.h"
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

ConfigDocument ReadConfig(const std::string& what) {
  if (IsBuiltInBackend(what)) return {BuiltInBackendConfig(what)};
  return ReadConfigDocument(JsonFile::Read(what));
}

int Print(const std::string& text) {
  fmt::print("{}", text);
  return text.empty() ? kExitAsExpected : kExitCaseFailed;
}

std::string CompareGraphs(const std::string& a, const std::string& b, bool ignore_paths) {
  GraphStructure before = ReadGraphStructure(a);
  GraphStructure after = ReadGraphStructure(b);
  for (const auto& [file, graph] : {std::pair(a, &before), {b, &after}}) {
    if (!graph->without_tensors) continue;
    fmt::print(stderr, "note: {} brings no tensors: dtypes and shapes are compared\n",
               file);
  }
  if (before.without_tensors || after.without_tensors) {
    DropTensorValues(before.module);
    DropTensorValues(after.module);
  }
  return DiffGraphs(before.module, after.module, {.ignore_paths = ignore_paths});
}

// The configs of two runs, as far as both journals hold them.
std::string CompareConfigs(const RunHeader& a, const RunHeader& b) {
  if (a.config.empty() || b.config.empty() || a.config == b.config) return "";
  const auto read = [](const RunHeader& header) {
    return ReadConfigDocument(
        JsonFile::Parse(header.config, "config of " + header.backend.name));
  };
  return ToText(DiffConfigs(read(a), read(b)));
}

int CompareRuns(const std::string& a, const std::string& b, bool bits) {
  const Journal before = ReadJournal(a);
  const Journal after = ReadJournal(b);
  const RunDifference difference = DiffRuns(before, after);
  fmt::print("{}{}", difference.text, CompareConfigs(*before.header, *after.header));
  const bool differ = difference.verdicts_differ || (bits && difference.bits_differ);
  return differ ? kExitCaseFailed : kExitAsExpected;
}

int Diff(const std::string& a, const std::string& b, bool ignore_paths, bool bits) {
  const Kind kind = KindOf(a);
  if (const Kind other = KindOf(b); other != kind) {
    throw InputError(
        b, std::string("is ") + KindName(other) + " and " + a + " is " + KindName(kind),
        "two of a kind");
  }
  if (ignore_paths && kind != Kind::kGraph) {
    throw InputError("command line",
                     std::string("--ignore-paths and ") + a + " is " + KindName(kind),
                     "two graphs");
  }
  if (bits && kind != Kind::kRun) {
    throw InputError("command line",
                     std::string("--bits and ") + a + " is " + KindName(kind),
                     "two journals");
  }
  switch (kind) {
    case Kind::kConfig:
      return Print(ToText(DiffConfigs(ReadConfig(a), ReadConfig(b))));
    case Kind::kGraph:
      return Print(CompareGraphs(a, b, ignore_paths));
    case Kind::kGolden:
      return Print(DiffGoldens(ReadGolden(a), ReadGolden(b)));
    case Kind::kRun:
      return CompareRuns(a, b, bits);
  }
  return kExitInternal;
}

}  // namespace

void AddDiffVerb(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string a;
    std::string b;
    bool ignore_paths = false;
    bool bits = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* verb = app.add_subcommand(
      "diff", "Compare two configs, two graphs, two goldens or two runs");
  verb->add_option("A", arguments->a,
                   "built-in config, config or graph file, golden folder, run journal")
      ->required();
  verb->add_option("B", arguments->b, "another of the same kind")->required();
  verb->add_flag("--ignore-paths", arguments->ignore_paths,
                 "of graphs: the paths of modules and attributes may differ, one to one");
  verb->add_flag("--bits", arguments->bits,
                 "of runs: other bits under the same verdict are a difference too");
  verb->footer(
      "\"<\" is only in A, \">\" only in B. Nothing is printed if nothing differs.\n"
      "Exit code: 0 the same (runs: the same verdicts), 1 they differ, 4 bad input or "
      "not two of a kind.");
  verb->callback([arguments, &exit_code] {
    exit_code =
        Diff(arguments->a, arguments->b, arguments->ignore_paths, arguments->bits);
  });
}

}  // namespace qconform
