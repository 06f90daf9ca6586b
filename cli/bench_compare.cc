#include "cli/bench_compare.h"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "bench/compare/comparison_text.h"
#include "bench/compare/machines.h"
#include "cli/exit_code.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

struct CompareOptions {
  std::string old_file;
  std::string new_file;
  bool cpu_time = false;
  bool force = false;
};

void PrintMachines(const CompareOptions& options, const bench::SampleFile& old_file,
                   const bench::SampleFile& new_file) {
  const bench::MachineComparison machines = bench::CompareMachines(old_file, new_file);
  if (!machines.unlike.empty() && !options.force) {
    throw InputError(options.new_file,
                     fmt::format("from another machine than {}: {}", options.old_file,
                                 fmt::join(machines.unlike, "; ")),
                     "one machine, or --force");
  }
  for (const std::string& unlike : machines.unlike)
    fmt::print("machine     UNLIKE, forced: {}\n", unlike);
  fmt::print("machine     {}\n",
             machines.alike.empty()
                 ? "unknown: the files say nothing that both have"
                 : "alike: " + fmt::format("{}", fmt::join(machines.alike, ", ")));
}

int Compare(const CompareOptions& options) {
  const auto field = options.cpu_time ? bench::TimeField::kCpu : bench::TimeField::kReal;
  const bench::SampleFile old_file = bench::ReadSampleFile(options.old_file, field);
  const bench::SampleFile new_file = bench::ReadSampleFile(options.new_file, field);
  PrintMachines(options, old_file, new_file);
  const bench::BenchmarkComparison comparison =
      bench::CompareBenchmarks(old_file, new_file);
  fmt::print("{}", bench::ComparisonText(comparison));
  if (comparison.changes.empty()) return kExitNothingSelected;
  return comparison.Count(bench::ChangeVerdict::kSlower) > 0 ? kExitCaseFailed
                                                             : kExitAsExpected;
}

}  // namespace

void AddBenchCompareVerb(CLI::App& bench, int& exit_code) {
  CLI::App* verb = bench.add_subcommand(
      "compare", "Compare two JSON files of Google Benchmark, name by name");
  auto options = std::make_shared<CompareOptions>();
  verb->add_option("old", options->old_file, "The file to compare with")->required();
  verb->add_option("new", options->new_file, "The file that may be slower")->required();
  verb->add_flag("--cpu-time", options->cpu_time,
                 "Compare cpu_time instead of real_time");
  verb->add_flag("--force", options->force, "Compare files of unlike machines");
  verb->footer(
      "Run both with --benchmark_repetitions=9 or more. Exit code 1 for a regression\n"
      "that is confirmed, 5 if no benchmark is in both files.");
  verb->allow_extras(false);
  verb->callback([options, &exit_code] { exit_code = Compare(*options); });
}

}  // namespace qconform
