// The options of the benchmark, on any command.
#ifndef QCONFORM_BENCH_OPTIONS_H_
#define QCONFORM_BENCH_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <string>

#include "bench/suite.h"

namespace qconform::bench {

// Declares --backend, --suite, --threads, --json on `app` and lets Google Benchmark's
// own flags through; they are in app.remaining() after parsing.
void DeclareOptions(CLI::App& app, SuiteOptions& options);

// One line for a person, before the run: what it does and about how long that takes.
std::string Announcement(const SuiteOptions& options);

// One line for a person, after the run.
std::string Summary(const SuiteOutcome& outcome);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_OPTIONS_H_
