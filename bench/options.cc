#include "bench/options.h"

#include <fmt/format.h>

namespace qconform::bench {

void DeclareOptions(CLI::App& app, SuiteOptions& options) {
  app.add_option("--backend", options.backend, "Shared object to time")->required();
  app.add_option(
         "--suite", options.suite,
         "Layers to run: resnet50, mobilenet_v2, bert_base, or the path of a shape table")
      ->capture_default_str();
  app.add_option("--threads", options.threads, "Threads that the backend may use")
      ->capture_default_str();
  app.add_option("--json", options.json, "Write Google Benchmark's JSON to this file");
  app.allow_extras();
  app.footer("Flags of Google Benchmark (--benchmark_filter=REGEX, ...) are passed on.");
}

std::string Announcement(const SuiteOptions& options) {
  const std::vector<Layer> layers = MultiplyingLayers(SuiteFile(options.suite));
  return fmt::format(
      "bench: {} layers of {} on {}, {} thread(s), every output checked; about {:.0f} "
      "seconds",
      layers.size(), options.suite, options.backend.filename().string(), options.threads,
      ExpectedSeconds(layers));
}

std::string Summary(const SuiteOutcome& outcome) {
  return fmt::format("bench: {} layers timed, {} failed", outcome.layers - outcome.wrong,
                     outcome.wrong);
}

}  // namespace qconform::bench
